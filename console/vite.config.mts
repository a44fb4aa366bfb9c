import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative, so that a proxy may put the console below any path.
  base: './',
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
