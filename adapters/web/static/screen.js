// Nobody scrolls a television, so lists longer than the screen turn their pages by themselves.

const turnTime = 8000; // of a page, in milliseconds

/** pages returns where each page of a list begins: at the first row that the one before doesn't show whole. @param {HTMLElement} list */
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
