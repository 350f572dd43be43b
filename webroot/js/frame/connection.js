// connection.js - the connection's state in the header: a button that opens the connection panel.

import { setAttr, setText } from '../dom.js';
import { count } from '../model/format.js';
import { pillState } from '../model/health.js';

export function createConnection(root, showPanel) {
  const title = document.getElementById('connection-title');
  const detail = document.getElementById('connection-detail');
  root.addEventListener('click', showPanel);
  return {
    update(profile, answers) {
      const { source } = profile;
      const state = pillState(profile, answers);
      const isTimed = source.baud && answers && source.state === 'connected';
      setAttr(root, 'data-level', state.level);
      setText(title, state.title);
      setText(detail, isTimed ? `${state.detail} · ${count(source.baud)} Bd` : state.detail);
      setAttr(root, 'title', [state.title, source.port, source.detail].filter(Boolean).join(' · '));
    },
  };
}
