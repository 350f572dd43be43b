// connection.js - how the connection is, in the header: a button that opens the Link view.

import { setAttr, setText } from '../dom.js';
import { count } from '../model/format.js';
import { connectionState } from '../model/health.js';

export function createConnection(root, showLink) {
  const title = document.getElementById('connection-title');
  const detail = document.getElementById('connection-detail');
  root.addEventListener('click', showLink);
  return {
    update(profile, answers) {
      const { source } = profile;
      const state = connectionState(profile, answers);
      const isTimed = source.baud && answers && source.state === 'connected';
      setAttr(root, 'data-level', state.level);
      setText(title, state.title);
      setText(detail, isTimed ? `${state.detail} · ${count(source.baud)} Bd` : state.detail);
      setAttr(root, 'title', [state.title, source.port, source.detail].filter(Boolean).join(' · '));
    },
  };
}
