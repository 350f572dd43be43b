// list.js - the views, in the order of their tabs and number keys. A view is one file beside this one, an import here and its
// place in the list; ../host.js says what it answers and what it is given.

import { checkpoints } from './checkpoints.js';
import { compare } from './compare.js';
import { flame } from './flame.js';
import { functions } from './functions.js';
import { graph } from './graph.js';
import { link } from './link.js';
import { messages } from './messages.js';
import { source } from './source.js';
import { tasks } from './tasks.js';
import { timeline } from './timeline.js';

export const views = [flame, timeline, tasks, functions, graph, source, checkpoints, messages, compare, link];
