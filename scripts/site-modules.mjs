// Plugins for the build of the site that make its scripts smaller: they group modules into files, and leave out unused modules.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';

/** The modules of Leaflet that the map uses. The module with all exports also contains popups, tiles, vectors and more. */
const LEAFLET = `
  import { scale } from './control/Control.Scale.js';
  import './map/handler/Map.DoubleClickZoom.js';
  import './map/handler/Map.Drag.js';
  import './map/handler/Map.Keyboard.js';
  import './map/handler/Map.ScrollWheelZoom.js';
  import './map/handler/Map.TouchZoom.js';
  export const control = { scale };
  export { toLatLngBounds as latLngBounds } from './geo/LatLngBounds.js';
  export { toPoint as point } from './geometry/Point.js';
  export { divIcon } from './layer/marker/DivIcon.js';
  export { marker } from './layer/marker/Marker.js';
  export { svgOverlay } from './layer/SVGOverlay.js';
  export { createMap as map } from './map/Map.js';
`;

/** The modules of Leaflet that only the streets of the operator's map use. */
const LEAFLET_TILES = `
  import { create, remove, removeClass } from './dom/DomUtil.js';
  export const DomUtil = { create, remove, removeClass };
  export { GridLayer } from './layer/tile/GridLayer.js';
  export { toLatLngBounds as latLngBounds } from './geo/LatLngBounds.js';
`;

/**
 * Modules that no browser uses. `Marker.js` imports two of them for markers that can be dragged and for the default icon, and the map
 * has neither. Only the service renders the climate for visitors without JavaScript and the preview of a page.
 */
const LEFT_OUT = {
  './Marker.Drag': 'export const MarkerDrag = undefined;',
  './Icon.Default': 'export class IconDefault {}',
  './static-climate.js': 'export const readStaticClimate = undefined;',
  '../share/preview.js': 'export const previewOfStation = undefined;',
};

/** Imports the used modules of Leaflet instead of its one large file, and leaves out the modules that no browser uses. */
export const usedModules = {
  name: 'used-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^leaflet$/ }, ({ importer }) => ({
      path: importer.endsWith('/streets.ts') ? 'tiles' : 'leaflet',
      namespace: 'parts',
    }));
    onResolve(
      { filter: /^(\.\/(Marker\.Drag|Icon\.Default|static-climate\.js)|\.\.\/share\/preview\.js)$/ },
      ({ path }) => ({
        path,
        namespace: 'left-out',
      }),
    );
    onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({ contents: LEFT_OUT[path] }));
    onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
      contents: path === 'tiles' ? LEAFLET_TILES : LEAFLET,
      resolveDir: resolve('node_modules/leaflet/src'),
    }));
  },
};

/**
 * Groups the modules that several scripts share into a few files:
 *
 * - the first file has the modules of `start` and of the first of `pages`;
 * - each further page has a file with the additional modules that it needs;
 * - the last file has all other modules.
 *
 * Without this plugin, esbuild writes two dozen small files: one for each set of entry points that share modules. Small files
 * compress worse, because each is compressed separately and contains the names of its imports.
 *
 * @param options options of the build with `splitting`
 * @param start the script that each page loads
 * @param pages pages in the order of their files, as patterns of their paths. A page loads the files of which it needs a module
 */
export async function fewFiles(options, start, pages) {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const entries = entriesOf(metafile);
  const modules = [...pages, undefined].map(() => new Set());
  for (const [file, { entryPoint, inputs }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined && entryPoint !== start) continue;
    const step = pages.findIndex((page, index) =>
      entries.some(
        ({ path, files }) => files.has(file) && (page.test(path) || (index === 0 && path === start)),
      ),
    );
    for (const path of Object.keys(inputs)) {
      // Modules of packages are left out: they are added to the file of the modules that import them.
      if (path !== start && path.startsWith('src/')) modules.at(step).add(resolve(path));
    }
  }
  const added = new Map(
    entries.map(({ path, inputs }) => {
      const isNeeded = (group) => inputs.some((input) => group.has(resolve(input)));
      const needed = modules.flatMap((group, index) => (index === 0 || isNeeded(group) ? index : []));
      return [resolve(path), needed];
    }),
  );
  return {
    name: 'few-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^shared-by:/ }, ({ path }) => ({ path, namespace: 'shared' }));
      // The package of the API client declares that its modules have no side effects. Without this setting, esbuild would leave
      // out the imports of these modules.
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

/** The entry points of scripts: their paths, the files that they load statically, and the modules in these files. */
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
