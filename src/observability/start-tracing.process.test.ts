import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { NoTracing } from './tracing';
import { startTracing } from './start-tracing';

const DIST = join(__dirname, '../../dist/src');

describe('without an endpoint', () => {
  it('there are no spans', () => {
    const tracing = startTracing(null, 'all');
    expect(tracing).toBeInstanceOf(NoTracing);
    expect(tracing.isOn).toBe(false);
  });

  it("none of the code of OpenTelemetry's exporter is loaded, and with one it is", () => {
    const loaded = (endpoint: string | null): boolean => {
      const script = `
        require(${JSON.stringify(join(DIST, 'application.js'))});
        const { startTracing } = require(${JSON.stringify(join(DIST, 'observability/start-tracing.js'))});
        startTracing(${JSON.stringify(endpoint)}, 'all');
        const files = Object.keys(require.cache);
        console.log(files.some((file) => /@opentelemetry.(sdk-trace|exporter|otlp|resources)/.test(file)));
        process.exit(0);`;
      return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim() === 'true';
    };
    expect([loaded(null), loaded('http://127.0.0.1:9')]).toEqual([false, true]);
  });
});
