// Turns the pages of lists that are longer than the screen, because nobody scrolls a television.

const turnTime = 8000; // of a page, in milliseconds

/** pages returns the scroll position of each page of a list, which begins with the first row that the page before doesn't show whole. @param {HTMLElement} list */
export function pages(list) {
  const table = list.querySelector("table"), rows = [...(table?.tBodies[0]?.rows ?? [])];
  const covered = table?.tHead?.offsetHeight ?? 0, starts = [0];
  for (const row of rows) {
    const begin = starts[starts.length - 1];
    if (row.offsetTop + row.offsetHeight - begin > list.clientHeight && row.offsetTop - covered > begin) starts.push(row.offsetTop - covered);
  }
  return starts;
}

/** turn shows the page that is due. @param {number} now */
export function turn(now) {
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".block-scroll"))) {
    const starts = pages(list), at = Math.floor(now / turnTime) % starts.length;
    list.scrollTop = starts[at];
  }
}

export const start = () => setInterval(() => turn(Date.now()), 500);
