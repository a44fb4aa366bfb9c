const asyncHooks = require('node:async_hooks');
const Module = require('node:module');

const FRAMEWORK_GLOBALS = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

/** The maps of what this worker has transformed, for the stacks of errors. */
const sourceMaps = new Map();
let transformer;

/** Node's own way to load a file with this ending, with Jest's transformer and its cache. */
function loadTransformed(module, filename) {
  const { code, sourceMapPath } = transformer.transform(filename, {
    isInternalModule: false,
    supportsDynamicImport: true,
    supportsExportNamespaceFrom: true,
    supportsStaticESM: false,
    supportsTopLevelAwait: false,
  });
  if (sourceMapPath) {
    sourceMaps.set(filename, sourceMapPath);
  }
  module._compile(code, filename);
}

/**
 * Loads test files by Node's own require(). Jest's runtime has a registry of modules for each file, and so loads the
 * application anew for each, which takes longer than most files run. Here a worker loads it once: what files share is in
 * Node's registry, and only the file of tests itself is loaded for each run.
 */
module.exports = class SharedRuntime {
  constructor(config, environment, _resolver, fileTransformer, _cacheFS, _coverage, testPath) {
    this.environment = environment;
    this.testPath = testPath;
    transformer = fileTransformer;
    Module._extensions['.ts'] = loadTransformed;
    globalThis.jest = this.jestObject();
    this.storages = [];
  }

  jestObject() {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.environment;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      replaceProperty: mocker.replaceProperty.bind(mocker),
      requireActual: Module.createRequire(this.testPath),
      restoreAllMocks: () => (mocker.restoreAllMocks(), jest),
      useFakeTimers: (options) => (timers.useFakeTimers(options), jest),
      useRealTimers: () => (timers.useRealTimers(), jest),
      getTimerCount: () => timers.getTimerCount(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    };
    return jest;
  }

  /** The framework keeps the tests of a file in its module and in globals, so each file has a new one. */
  requireInternalModule(path) {
    delete require.cache[path];
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (FRAMEWORK_GLOBALS.includes(symbol.description)) {
        delete globalThis[symbol];
      }
    }
    return this.noticingStorages(() => require(path));
  }

  /**
   * The framework has an AsyncLocalStorage. Once used, each is copied to every promise until it is disabled, so that those
   * of all files before would take most of the time of the last ones.
   */
  noticingStorages(load) {
    const { storages } = this;
    // Node 24 has a getter there, which cannot be assigned to.
    const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    const value = class extends asyncHooks.AsyncLocalStorage {
      constructor(...options) {
        super(...options);
        storages.push(this);
      }
    };
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, configurable: true });
    try {
      return load();
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
    }
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return false;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}

  restoreAllMocks() {
    this.environment.moduleMocker.restoreAllMocks();
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  teardown() {
    delete require.cache[this.testPath];
    this.storages.forEach((storage) => storage.disable());
  }
};
