// The script of pages made of blocks without a board.

import { start } from "./blocks.js";

start({});
