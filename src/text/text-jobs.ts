// A worker thread loads this module, and every function that it exports is a job that is called there by its name. Inputs and
// results are copied between threads, so they are flat: a deep object overflows the stack while it is copied, and many
// small strings are slow to copy.

export { countPackedTokens, limitText } from './shared-jobs';
export { answerMessages, quoteAnswer, quoteNamedSources } from './shared-jobs';
export { cutText, embedTexts, indexTexts, textSnippets } from './shared-jobs';
export {
  analyzeStatistics,
  analyzeTone,
  classifyText,
  findAmounts,
  findDates,
  findEntities,
  findKeyValues,
  findKeywords,
  findLanguage,
  findStyleIssues,
  findTables,
  outlineText,
  summarizeText,
  tightenText,
} from './shared-jobs';
export {
  analyzeLegalText,
  analyzeWriting,
  compareTexts,
  findLegalFacts,
  outlineDocument,
} from '../modules/legal/legal.jobs';
export {
  analyzePaper,
  analyzePaperAsTold,
  summarizePaper,
  summarizePaperAsTold,
  writeCitations,
} from '../modules/scholar/scholar.jobs';
export {
  draftPage,
  lintPage,
  promptIdeas,
  scaffoldText,
  structurePage,
  suggestPageStyle,
  suggestStyle,
  writeChangelog,
  writeReference,
} from './writing-jobs';
