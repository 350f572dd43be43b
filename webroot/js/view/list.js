// list.js - the views: those with a tab of their own, in the order of their tabs and number keys, then those that are a mode of one of them
// (`tab`). A view is one file beside this one, an import here and its place in the list; ../host.js says what it answers and what it is given.

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

/** What lies over the view that is shown (frame/panel.js). */
export const panel = link;
