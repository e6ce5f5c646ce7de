// The room that Discord's client gives the page: all of it, a phone, or the small window
// that stays while one does something else. What it says is held against how large the
// page really is.

const [focused, pip, grid] = [0, 1, 2];
const landscape = 1;
const hot = 2; // of Discord's four states of a phone that grows warm, from 0

/**
 * layout puts the name of the layout on the page, as data-layout: "wide", "tall", or
 * "small", which has the board and the last word alone; and the class "still" where
 * nothing should move.
 * @param {Client} client @param {boolean} phone
 */
export function layout(client, phone) {
  let mode = focused, turned = -1;

  function arrange() {
    const small = mode === pip || mode === grid || innerHeight < 260 || innerWidth < 260;
    const wide = phone && turned >= 0 ? turned === landscape : innerWidth > innerHeight;
    document.body.dataset.layout = small ? "small" : wide ? "wide" : "tall";
  }
  addEventListener("resize", arrange);
  arrange();

  const old = () => {}; // a client that doesn't know it
  client.on("ACTIVITY_LAYOUT_MODE_UPDATE", (told) => {
    mode = told.layout_mode;
    arrange();
  }).catch(old);
  client.on("ORIENTATION_UPDATE", (told) => {
    turned = told.screen_orientation;
    arrange();
  }).catch(old);
  if (!phone) return;
  client.on("THERMAL_STATE_UPDATE", (told) => document.body.classList.toggle("still", told.thermal_state >= hot)).catch(old);
  // The board stands either way; the small window lies.
  client.command("SET_ORIENTATION_LOCK_STATE", { lock_state: 1, picture_in_picture_lock_state: 3, grid_lock_state: 3 }).catch(old);
}
