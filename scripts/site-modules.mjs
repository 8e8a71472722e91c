// Plugins for the build of the site that make its scripts smaller: which modules share a file, and which modules are left out.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';

/** Modules of Leaflet that the map does not use, and that would stay because they add methods to classes of others. */
const UNUSED_LEAFLET =
  /\/layer\/(?:index|tile\/|Popup|Tooltip|DivOverlay|ImageOverlay|SVGOverlay|VideoOverlay)|\/control\/Control\.(?:Layers|Zoom)/;

/** Takes Leaflet from its modules in place of its one large file, and leaves out what nothing imports. */
export const partsOfLeaflet = {
  name: 'parts-of-leaflet',
  setup({ onResolve }) {
    const source = resolve('node_modules/leaflet/src');
    onResolve({ filter: /^leaflet$/ }, () => ({ path: `${source}/Leaflet.js` }));
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      if (!resolveDir.startsWith(source) || path.endsWith('.json')) return undefined;
      const file = resolve(resolveDir, path.endsWith('.js') ? path : `${path}.js`);
      return { path: file, sideEffects: !UNUSED_LEAFLET.test(file) };
    });
  },
};

/** What uPlot offers beside charts, in the lines that offer it. No chart needs it, and it is a tenth of the code. */
const UNUSED_UPLOT = [
  'uPlot.rangeLog = rangeLog;',
  'uPlot.rangeAsinh = rangeAsinh;',
  'uPlot.join = join;',
  'uPlot.fmtDate = fmtDate;',
  'uPlot.tzDate  = tzDate;',
  '(paths.bars    = bars);',
  '(paths.spline  = monotoneCubic);',
];

/** Leaves out the parts of uPlot that are only there to be called from outside. */
export const partsOfUplot = {
  name: 'parts-of-uplot',
  setup({ onLoad }) {
    onLoad({ filter: /uPlot\.esm\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const line of UNUSED_UPLOT) {
        if (!contents.includes(line)) throw new Error(`uPlot no longer has the line "${line}".`);
        contents = contents.replace(line, '');
      }
      return { contents };
    });
  },
};

/**
 * Puts the modules that several files need into a few files: one for every page, one for each of `pages` with what it needs more than the
 * page before it, and one for the rest. By itself esbuild makes a file for each set of entry points that share modules. Two dozen
 * small files compress worse than these: each starts without a context, and names what it takes from others.
 *
 * @param options of the build. They have `splitting`.
 * @param start the script that every page loads
 * @param pages that must not load what only other pages need
 */
export async function fewFiles(options, start, pages) {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const entries = entriesOf(metafile);
  const steps = [[start, pages[0]], ...pages.slice(1).map((page) => [page])];
  const modules = [...steps, []].map(() => new Set());
  for (const [file, { entryPoint, inputs }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined && entryPoint !== start) continue;
    const step = steps.findIndex((paths) =>
      entries.some(({ path, files }) => files.has(file) && paths.includes(path)),
    );
    for (const path of Object.keys(inputs)) {
      // Packages come with the modules that import them.
      if (path !== start && path.startsWith('src/')) modules.at(step).add(resolve(path));
    }
  }
  const added = new Map(
    entries.map(({ path, inputs }) => {
      const needed = modules.findLastIndex((group) => inputs.some((input) => group.has(resolve(input))));
      return [resolve(path), modules.slice(0, Math.max(needed, 0) + 1).map((_group, index) => index)];
    }),
  );
  return {
    name: 'few-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^shared-by:/ }, ({ path }) => ({ path, namespace: 'shared' }));
      // The client of the API says that its modules may be left out where nothing is taken from them.
      onResolve({ filter: /./, namespace: 'shared' }, ({ path }) => ({ path, sideEffects: true }));
      onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
        contents: importsOf(modules[Number(path.slice('shared-by:'.length))]),
        resolveDir: process.cwd(),
      }));
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const groups = added.get(path);
        if (groups === undefined) return undefined;
        const contents =
          importsOf(groups.map((group) => `shared-by:${group}`)) + (await readFile(path, 'utf8'));
        return { contents, loader: extname(path).slice(1) };
      });
    },
  };
}

/** The scripts that begin with an entry point: its path, the files that it loads at once, and the modules in these. */
function entriesOf({ outputs }) {
  return Object.entries(outputs)
    .filter(([file, { entryPoint }]) => entryPoint !== undefined && extname(file) === '.js')
    .map(([file, { entryPoint }]) => {
      const files = new Set([file]);
      for (const loaded of files)
        for (const { path, kind } of outputs[loaded].imports)
          if (kind === 'import-statement') files.add(path);
      return {
        path: entryPoint,
        files,
        inputs: [...files].flatMap((loaded) => Object.keys(outputs[loaded].inputs)),
      };
    });
}

function importsOf(paths) {
  return [...paths].map((path) => `import ${JSON.stringify(path)};`).join('');
}
