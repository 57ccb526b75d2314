/** The help at an address of its own. */

import { keys } from "./keys.js";
import { settings } from "./settings.js";

settings(document);
keys(document);
