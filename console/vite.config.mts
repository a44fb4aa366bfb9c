import { readFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

interface PublishedOperation {
  operationId?: string;
  summary?: string;
}

const document = JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, PublishedOperation>>;
};
const titles = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .map(({ operationId, summary }) => [operationId, summary]);

export default defineConfig({
  // Relative, so that a proxy may put the console below any path.
  base: './',
  define: { OPERATION_TITLES: JSON.stringify(Object.fromEntries(titles)) },
  plugins: [tailwindcss()],
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The policy of the console takes nothing from data: addresses but pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      onLog(level, log, defaultHandler) {
        // React's directives for servers, of which there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') {
          defaultHandler(level, log);
        }
      },
    },
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '^/(api|v1|health|docs|openapi)': 'http://127.0.0.1:3000' } },
});
