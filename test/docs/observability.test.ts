import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { startBackgroundWork } from '../../src/background-work';
import { Metrics } from '../../src/infrastructure/metrics/metrics';
import { TestService } from '../support/api/service';

const FOLDER = join(__dirname, '../../docs/observability');
const RULES = join(FOLDER, 'prometheus-rules.yml');
const OPERATING = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
const TOKEN = 'a token that only the scraper of this test has';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const rules = (parse(readFileSync(RULES, 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as Dashboard;
const promtool = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find((file) => existsSync(file));

describe('what the dashboard and the alert rules ask for', () => {
  let service: TestService;
  /** The names of all series, as a scrape has them. */
  const names = new Set<string>();

  beforeAll(async () => {
    const upstream = { name: 'main', base_url: 'http://127.0.0.1:9/v1', models: [{ id: 'one' }] };
    service = await TestService.start({ METRICS_TOKEN: TOKEN, UPSTREAMS: JSON.stringify([upstream]) });
    service.app.get(Metrics).observeProcess();
    startBackgroundWork(service.app, 'all');
    const { body } = await service.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    for (const [, name = '', type = ''] of body.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      suffixes.forEach((suffix) => names.add(name + suffix));
    }
  });
  afterAll(async () => service.stop());

  it.each(rules.map(({ alert, expr }) => [alert, expr]))('exists: %s', (_, expr) => {
    expectNames(expr);
  });

  it.each(dashboard.panels.map(({ title, targets }) => [title, targets] as const))(
    'exists: the panel %s',
    (_, targets) => targets.forEach(({ expr }) => expectNames(expr)),
  );

  it('is documented, each metric of our own and each alert', () => {
    const own = [...names].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    const isOwn = (name: string) => !/^(process|nodejs)_/.test(name);
    const payments = readFileSync(join(__dirname, '../../docs/payments.md'), 'utf8');
    const missing = own.filter((name) => isOwn(name) && !(OPERATING + payments).includes(`\`${name}`));
    expect(missing).toEqual([]);
    expect(rules.map(({ alert }) => alert).filter((alert) => !OPERATING.includes(`\`${alert}\``))).toEqual(
      [],
    );
  });

  function expectNames(expr: string): void {
    const asked = metricsIn(expr);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
  }
});

(promtool ? it : it.skip)('promtool finds no fault in the alert rules', () => {
  const said = execFileSync(promtool ?? '', ['check', 'rules', RULES], { encoding: 'utf8' });
  expect(said).toContain(`${rules.length} rules found`);
});

/** The names of metrics in an expression: words that are no functions, labels, texts or units. */
function metricsIn(expr: string): string[] {
  const plain = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...plain.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b(?!\s*\()/g)].map(([, name = '']) => name);
}
