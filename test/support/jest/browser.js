const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium to test with; undefined where the machine has none. No package of npm brings one. */
const chromiumPath =
  process.env.CHROMIUM_PATH ??
  process.env.PATH.split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

// CI requires it, so that these tests can't go missing there.
const withoutBrowser =
  chromiumPath || process.env.TEST_BROWSER === 'required'
    ? []
    : [
        {
          folder: '/test/browser/',
          needs: `${NAMES.slice(0, 3).join(' or ')} on the PATH, or CHROMIUM_PATH`,
        },
      ];

module.exports = { chromiumPath, withoutBrowser };
