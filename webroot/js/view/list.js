// list.js - the views, in the order of their tabs and number keys. A view is one file beside this one and one
// line here.
//
// A view is { id, title, create(host) }; create() answers { root, update(), actions, summary(), next(step) }:
//   root         the element shown while the view is chosen
//   update()     draws what host.profile and host.place say now; called only while the view is shown
//   actions      what its keys do (frame/keys.js)
//   summary()    what the search box says about the matches here, '' for nothing
//   next(step)   goes to the next (+1) or previous (-1) match

import { checkpoints } from './checkpoints.js';
import { compare } from './compare.js';
import { flame } from './flame.js';
import { functions } from './functions.js';
import { graph } from './graph.js';
import { link } from './link.js';
import { messages } from './messages.js';
import { source } from './source.js';
import { timeline } from './timeline.js';

export const views = [flame, timeline, functions, graph, source, checkpoints, messages, compare, link];
