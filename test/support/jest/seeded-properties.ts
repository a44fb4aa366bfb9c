import { configureGlobal } from 'fast-check';
import { runSeed } from './seed';

if (runSeed !== null) {
  configureGlobal({ seed: runSeed });
}
