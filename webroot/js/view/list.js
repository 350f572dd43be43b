// list.js - the views: those with tabs, in the order of tabs and number keys, then those that are a mode of another
// view (`tab`). A view is a file beside this one, an import here and an entry in the list; see ../host.js.

import { checkpoints } from './checkpoints.js';
import { compare } from './compare.js';
import { flame } from './flame.js';
import { functions } from './functions.js';
import { graph } from './graph.js';
import { link } from './link.js';
import { messages } from './messages.js';
import { overview } from './overview.js';
import { source } from './source.js';
import { tasks } from './tasks.js';
import { timeline } from './timeline.js';

export const views = [overview, flame, timeline, functions, tasks, checkpoints, messages, graph, source, compare];

/** The view in the panel that lies over the others (frame/panel.js). */
export const panel = link;
