import { chromium, type Browser } from 'playwright-core';

/** Starts the Chromium that jest.config.js has found, with a profile that nobody else has. */
export async function openBrowser(): Promise<Browser> {
  const { chromiumPath } = globalThis as { chromiumPath?: string };
  if (chromiumPath === undefined) {
    throw new Error('no Chromium: install chromium, or name one in CHROMIUM_PATH');
  }
  return chromium.launch({
    executablePath: chromiumPath,
    // Chromium refuses to start as root with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: 0,
  });
}
