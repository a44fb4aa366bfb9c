const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { setFastTimeout } = require('undici/lib/util/timers');

/**
 * The environment of a test file that is the worker's own: no context of its own, and so one that the application, loaded
 * once for all files of the worker, shares with the tests. What a file changes of it is undone at its end.
 */
module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    // For the global object itself they would replace what `node:timers` exports too, and what Node loads meanwhile for
    // its own use would keep a timer that never ends.
    const global = new Proxy(globalThis, {});
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global });
    // undici keeps one timer for good, for all of its time-outs: none would end if that were a fake one.
    setFastTimeout(() => undefined, 1);
    this.intact = {
      console: globalThis.console,
      exit: process.exit,
      cwd: process.cwd(),
      variables: { ...process.env },
    };
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const { console, exit, cwd, variables } = this.intact;
    globalThis.console = console;
    process.exit = exit;
    process.chdir(cwd);
    for (const name of Object.keys(process.env)) {
      if (!(name in variables)) {
        delete process.env[name];
      }
    }
    Object.assign(process.env, variables);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
