// The software bill of materials of the published package (CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/): the bundled
// packages, and the packages that npm installs with weatherd. It contains no time and no random number, so that two builds of the
// same sources have the same bytes.

/**
 * The bill of materials.
 *
 * @param manifest content of package.json of the published package
 * @param lock content of package-lock.json, whose versions of the installed packages were tested
 * @param bundles packages of each bundle (`name`, `version`, `license`), by the folder of the bundle in the package
 */
export function sbom(manifest, lock, bundles) {
  const main = component('application', manifest);
  const components = new Map();
  const dependencies = new Map([[main.purl, new Set()]]);
  const add = (found, dependant) => {
    if (!components.has(found.purl)) components.set(found.purl, found);
    dependencies.get(dependant).add(found.purl);
    return components.get(found.purl);
  };
  for (const [folder, packages] of Object.entries(bundles))
    for (const entry of packages) {
      const found = add({ ...component('library', entry), scope: 'required' }, main.purl);
      found.evidence ??= { occurrences: [] };
      if (!found.evidence.occurrences.some(({ location }) => location === folder))
        found.evidence.occurrences.push({ location: folder });
    }
  const addInstalled = (dependant, entry, path) => {
    for (const kind of ['dependencies', 'optionalDependencies'])
      for (const name of Object.keys(entry[kind] ?? {})) {
        const foundAt = locate(lock, path, name);
        const installed = { name, ...lock.packages[foundAt] };
        // Of the packages for one platform each, npm installs only one.
        const scope = kind === 'dependencies' ? 'required' : 'optional';
        const { purl } = add({ ...component('library', installed), scope }, dependant);
        if (dependencies.has(purl)) continue;
        dependencies.set(purl, new Set());
        addInstalled(purl, installed, foundAt);
      }
  };
  addInstalled(main.purl, manifest, '');
  const licenses = Object.keys(bundles).map((folder) => ({ type: 'license', url: `${folder}/LICENSES.txt` }));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...main, externalReferences: licenses } },
    components: sorted([...components]).map(([, found]) => found),
    dependencies: sorted([...dependencies]).map(([ref, on]) => ({ ref, dependsOn: sorted([...on]) })),
  };
}

function component(type, { name, version, license }) {
  const [, group, plainName] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type,
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: plainName,
    version,
    licenses: [licenseChoice(license, name)],
    purl,
  };
}

/** A name in the list of SPDX, or an expression of such names. */
function licenseChoice(license, name) {
  if (typeof license !== 'string') throw new Error(`The package ${name} names no license.`);
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } };
}

/** The key in the lockfile of a package that the package at `path` imports: its own copy, or one of the folders above it. */
function locate(lock, path, name) {
  const key = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (lock.packages[key] !== undefined) return key;
  if (path === '') throw new Error(`package-lock.json has no ${name}.`);
  return locate(lock, path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

function sorted(values) {
  return values.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
}
