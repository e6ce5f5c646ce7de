// The script of pages made of blocks with a board.

import { start } from "./blocks.js";

start({ watch: () => import("./watch.js"), table: () => import("./ontable.js"), try: () => import("./try.js"), analyse: () => import("./analyse.js") });
