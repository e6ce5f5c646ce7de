// The space that Discord's client gives the page: all of it, a phone, or the small window that
// stays during other activities. The client's word is checked against the page's real size.

const [focused, pip, grid] = [0, 1, 2];
const landscape = 1;
const hot = 2; // of Discord's four thermal states, from 0

/**
 * layout sets data-layout on the page to "wide", "tall", or "small", which shows only the board and
 * the last word. It sets the class "still" if nothing should move.
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

  const old = () => {}; // an old client
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
  // The board works in either orientation; the small window is in landscape.
  client.command("SET_ORIENTATION_LOCK_STATE", { lock_state: 1, picture_in_picture_lock_state: 3, grid_lock_state: 3 }).catch(old);
}
