const BE = `am|is|are|was|were|be|been|being|isn['’]t|aren['’]t|wasn['’]t|weren['’]t`;
const IRREGULAR = `awoken|beaten|begun|bent|bitten|blown|born|borne|bought|bound|bred|broken|brought|built|burnt|caught|chosen|
  cut|dealt|done|drawn|driven|dug|eaten|fed|felt|forbidden|forgotten|forgiven|fought|found|frozen|given|ground|grown|heard|held|
  hidden|hit|hung|hurt|kept|knit|known|laid|led|left|lent|let|lost|made|meant|met|overcome|paid|proven|put|read|rewritten|ridden|
  rung|said|seen|sent|set|sewn|shaken|shot|shown|shut|sold|sought|spent|split|spoken|spread|stolen|struck|stuck|sung|sunk|sworn|
  swept|taken|taught|thrown|told|torn|understood|undertaken|upheld|withdrawn|withheld|woken|won|worn|woven|written`;
/** Adjectives and nouns that look like participles. */
const NOT_PASSIVE = new Set(
  `advanced aged alleged based bed bored complicated concerned dedicated detailed excited experienced hundred indeed
  interested kindred married naked need pleased qualified red related retired sacred scared seed shed skilled sophisticated
  speed surprised talented tired used weed wicked worried embed exceed feed proceed succeed unlimited limited committed
  supposed determined delighted opposed prepared`.split(/\s+/u),
);
const ADVERBS = String.raw`(?:\s{1,3}(?:not|never|also|already|often|always|still|only|then|now|being|been|\p{L}{2,16}ly)){0,2}`;
const PASSIVE = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’])(?:${BE})${ADVERBS}\s{1,3}(?<participle>\p{L}{2,20}ed|${IRREGULAR.replaceAll(/\s+/gu, '')})(?![\p{L}\p{N}'’-])`,
  'giu',
);

/** The verbs in the passive voice of an English text, in order: a form of "to be" with a past participle. */
export function passivesIn(text: string): { start: number; end: number; before: string }[] {
  return [...text.matchAll(PASSIVE)]
    .filter(({ groups }) => !NOT_PASSIVE.has(groups?.['participle']?.toLowerCase() ?? ''))
    .map(({ 0: before, index }) => ({ start: index, end: index + before.length, before }));
}
