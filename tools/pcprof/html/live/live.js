/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The script of pages that pcprof serve answers with: leads from the page of pcprof report to the list, says that newer
 * data exist, and loads the page again. The element html has the entity tag of what is shown (data-version), and the
 * seconds from the notice until the page is loaded again (data-wait), in which the reader can prevent it. */
'use strict';
{
  const ASK_AGAIN_MS = 2000;
  const {version, wait} = document.documentElement.dataset;

  /* Whether the server has another version of this page. It answers without making the page. */
  async function isChanged() {
    try {
      const answer = await fetch(location.pathname + location.search,
        {method: 'HEAD', cache: 'no-store', headers: {'If-None-Match': '"' + version + '"'}});
      return answer.ok;
    } catch (error) {
      return false; /* the server has ended, or is started anew */
    }
  }

  function button(text, action) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.addEventListener('click', action);
    return made;
  }

  function announce() {
    const notice = document.createElement('div'), reload = () => { location.reload(); };
    const timer = setTimeout(reload, Number(wait) * 1000);
    notice.className = 'notice';
    notice.id = 'newer';
    notice.setAttribute('role', 'status');
    notice.append('Newer data exist. This page is loaded again in ' + wait + ' s. ', button('Load now', reload),
      button('Keep this page', () => { clearTimeout(timer); notice.remove(); }));
    document.body.append(notice);
  }

  function linkList() {
    const link = document.createElement('a');
    link.href = '/';
    link.textContent = 'All stores';
    document.querySelector('header')?.prepend(link);
  }

  async function look() {
    if (await isChanged()) announce();
    else setTimeout(look, ASK_AGAIN_MS);
  }

  linkList();
  setTimeout(look, ASK_AGAIN_MS);
}
