import { h, render } from 'preact';
import { type Operation, search } from './search.js';
import { ofService } from './snippets.js';
import { session } from '../session.js';
import { Try, wantsSignIn } from './try.js';

/** Starts the script of the page about the API. */

const all = <Found extends Element>(selector: string, root: ParentNode = document) => [
  ...root.querySelectorAll<Found>(selector),
];

/** Writes the service of the page into all commands, and into the first ones a station. @returns a function that changes the station */
function startCommands(): (station: string) => void {
  const documented = all('main pre code[id]').map((element) => [element, element.textContent] as const);
  const show = (station: string): void => {
    for (const [element, text] of documented)
      element.textContent = ofService(
        text,
        location.origin,
        element.closest('#start') === null ? '' : station,
      );
  };
  show('');
  return show;
}

/** Shows the panel in place of the sentence that it needs JavaScript. */
function startPanel(onStation: (station: string) => void): void {
  const root = document.getElementById('try-panel');
  if (root === null) return;
  const isImperial = document.querySelector('.degrees [aria-pressed="true"]')?.textContent === '°F';
  root.replaceChildren();
  render(h(Try, { isImperial, onStation }), root);
}

/** Lets the button in the header open the form of this page, because another page would not share the session. */
function startSignIn(): void {
  const links = all<HTMLAnchorElement>('.account a');
  for (const link of links)
    link.addEventListener('click', (event) => {
      event.preventDefault();
      link.closest('details')?.removeAttribute('open');
      wantsSignIn.value = true;
      const field = document.querySelector<HTMLElement>('.try-sign-in input');
      field?.focus();
      (field ?? document.getElementById('try'))?.scrollIntoView({ block: 'center' });
    });
  session.subscribe((current) => {
    if (current !== undefined) wantsSignIn.value = false;
    for (const link of links) link.hidden = current !== undefined;
  });
}

/** Copies the text of the element that a button controls. */
async function copy(button: HTMLElement): Promise<void> {
  const source = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (source === null) return;
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // Browsers have no clipboard at an origin that they do not trust. The text is selected then, ready to be copied.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

/** Opens the description to which the address points. The browsers that open it themselves are new. */
function openTarget(): void {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    return;
  }
  const target = id === '' ? null : document.getElementById(id);
  const details = target?.closest('details');
  if (target === null || details === null || details === undefined || details.open) return;
  details.open = true;
  target.scrollIntoView();
}

/** The menu of the header: a choice takes effect at once, and Esc or a click elsewhere closes the menu. */
function startMenu(): void {
  const settings = document.querySelector<HTMLFormElement>('form.settings');
  settings?.addEventListener('change', () => settings.requestSubmit());
  const menus = all<HTMLDetailsElement>('details.menu');
  const close = (target?: EventTarget | null): void => {
    for (const menu of menus) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  };
  document.addEventListener('pointerdown', ({ target }) => close(target));
  document.addEventListener('focusin', ({ target }) => close(target));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
}

/** The contents are open where they have a column of their own. */
function startContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('details.api-contents');
  const isWide = matchMedia('(width >= 768px)');
  const follow = (): void => {
    if (contents !== null) contents.open = isWide.matches;
  };
  follow();
  isWide.addEventListener('change', follow);
}

function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.api-search');
  const field = form?.querySelector('input');
  const status = form?.querySelector('[role="status"]');
  if (form === null || field === null || field === undefined || status === null || status === undefined)
    return;
  form.hidden = false;
  const articles = all<HTMLElement>('article.operation');
  const operations = articles.map((article): Operation => {
    const text = (article.textContent ?? '').toLowerCase();
    return {
      title: (article.querySelector('summary')?.textContent ?? '').toLowerCase(),
      names: all('dt, .api-errors', article).flatMap((element) => element.textContent.split(/[\s,·]+/)),
      text,
    };
  });
  const links = new Map(
    all<HTMLAnchorElement>('.api-contents li a').map((link) => [link.hash, link.parentElement]),
  );
  const others = all<HTMLElement>('main > :not(section), main > section:not(.operations)');
  const update = (): void => {
    const query = field.value.trim();
    const isSearching = query !== '';
    const found = new Map(search(operations, query).map(({ index, name }) => [articles[index], name]));
    for (const article of articles) {
      const isFound = !isSearching || found.has(article);
      article.hidden = !isFound;
      const link = links.get(`#${article.querySelector('[id]')?.id ?? ''}`);
      if (link !== null && link !== undefined) link.hidden = !isFound;
      const note = article.querySelector('summary .found');
      if (note !== null) note.textContent = isSearching ? (found.get(article) ?? '') : '';
    }
    for (const section of all<HTMLElement>('section.operations'))
      section.hidden = isSearching && all<HTMLElement>('article', section).every(({ hidden }) => hidden);
    for (const group of all<HTMLElement>('.api-contents .group'))
      group.hidden = isSearching && all<HTMLElement>('li', group).every(({ hidden }) => hidden);
    for (const other of others) other.hidden = isSearching && other.id !== 'top';
    status.textContent = isSearching ? `${found.size} of ${articles.length} operations` : '';
  };
  field.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    articles
      .find(({ hidden }) => !hidden)
      ?.querySelector('summary')
      ?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, textarea, select') !== null;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape' && event.target === field) {
      field.value = '';
      update();
    }
  });
  // A link to a hidden operation shows everything again.
  addEventListener('hashchange', () => {
    const hidden = document.getElementById(location.hash.slice(1))?.closest('[hidden]') ?? null;
    if (hidden === null) return;
    field.value = '';
    update();
  });
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('button.copy') : null;
  if (button !== null) void copy(button);
});
for (const button of all<HTMLElement>('button.copy')) button.hidden = false;
startMenu();
startContents();
startSearch();
startPanel(startCommands());
startSignIn();
openTarget();
addEventListener('hashchange', openTarget);
