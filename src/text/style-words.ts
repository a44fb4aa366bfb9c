/** `before === text.slice(start, end)`. */
interface PhraseMatch<Entry> {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly entry: Entry;
}

const WORD = /[\p{L}\p{N}]{1,40}(?:['’-][\p{L}\p{N}]{1,40}){0,3}/gu;
const BETWEEN = /^[ \t\u00a0]{0,3}(?:\r?\n[ \t]{0,8})?$/u;

/** Finds the longest phrase of a list at each word, in a time that does not depend on their number. */
class PhraseList<Entry> {
  private readonly entries: ReadonlyMap<string, Entry>;
  /** The length in words of the longest phrase that begins with a word. */
  private readonly lengths = new Map<string, number>();

  constructor(entries: Iterable<readonly [phrase: string, entry: Entry]>) {
    this.entries = new Map(entries);
    for (const phrase of this.entries.keys()) {
      const words = phrase.split(' ');
      this.lengths.set(words[0] ?? '', Math.max(words.length, this.lengths.get(words[0] ?? '') ?? 0));
    }
  }

  matches(text: string): PhraseMatch<Entry>[] {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      lower: word.toLowerCase().replaceAll('’', "'"),
      start: index,
      end: index + word.length,
    }));
    const found: PhraseMatch<Entry>[] = [];
    for (let index = 0; index < words.length;) {
      const match = this.longestAt(text, words, index);
      if (match) {
        found.push(match.found);
      }
      index += match?.length ?? 1;
    }
    return found;
  }

  private longestAt(
    text: string,
    words: readonly { lower: string; start: number; end: number }[],
    index: number,
  ): { found: PhraseMatch<Entry>; length: number } | null {
    const first = words[index];
    for (let length = this.lengths.get(first?.lower ?? '') ?? 0; first && length > 0; length -= 1) {
      const run = words.slice(index, index + length);
      const entry = this.entries.get(run.map(({ lower }) => lower).join(' '));
      const isRun = run.every(
        ({ start }, place) => place === 0 || BETWEEN.test(text.slice(run[place - 1]?.end, start)),
      );
      const end = run.at(-1)?.end ?? first.end;
      if (entry !== undefined && isRun) {
        return { found: { start: first.start, end, before: text.slice(first.start, end), entry }, length };
      }
    }
    return null;
  }
}

/** Wordy phrases and their shorter form; empty where they can be left out. */
const WORDY = `a large number of=many|a majority of=most|a number of=several|a small number of=few|
  absolutely essential=essential|along the lines of=like|as a consequence of=because of|as a matter of fact=|
  as a result of=because of|as of yet=yet|as well as=and|at a later date=later|at all times=always|
  at the present time=now|at the time when=when|at this moment in time=now|at this point in time=now|
  basic fundamentals=fundamentals|by means of=by|by virtue of the fact that=because|close proximity=proximity|
  completely eliminate=eliminate|despite the fact that=although|due to the fact that=because|
  during the course of=during|each and every=each|end result=result|final outcome=outcome|first and foremost=first|
  for all intents and purposes=|for the duration of=during|for the purpose of=for|for the reason that=because|
  free gift=gift|future plans=plans|has the ability to=can|has the capability to=can|have the ability to=can|
  have the capability to=can|in a timely manner=promptly|in addition to=besides|in an effort to=to|
  in close proximity to=near|in light of the fact that=because|in order to=to|in regard to=about|
  in regards to=about|in relation to=about|in spite of the fact that=although|in spite of=despite|
  in the absence of=without|in the event of=if there is|in the event that=if|in the near future=soon|
  in the process of=|in view of the fact that=because|is able to=can|are able to=can|is in a position to=can|
  are in a position to=can|it is important to note that=|it is interesting to note that=|it is worth noting that=|
  it should be noted that=|it should be pointed out that=|make a decision=decide|made a decision=decided|
  make use of=use|made use of=used|makes use of=uses|needless to say=|new innovation=innovation|
  not in a position to=unable to|notwithstanding the fact that=although|off of=off|on a daily basis=daily|
  on a monthly basis=monthly|on a regular basis=regularly|on a weekly basis=weekly|on account of=because of|
  on the part of=by|owing to the fact that=because|past history=history|period of time=period|
  personal opinion=opinion|prior to=before|provide assistance to=help|subsequent to=after|
  take into consideration=consider|taken into consideration=considered|the fact that=that|the majority of=most|
  the reason why is that=because|through the use of=by|under the provisions of=under|until such time as=until|
  unexpected surprise=surprise|utilise=use|utilize=use|utilizes=uses|utilized=used|utilizing=using|
  with reference to=about|with regard to=about|with respect to=about|with the exception of=except|
  with the result that=so that`;

const WEASEL = `arguably|fairly|quite|relatively|somewhat|various|very|extremely|significantly|substantially|remarkably|
  many people|some people|experts say|studies show|research shows|it is said|it is believed|it is thought|critics say|
  in many ways|more or less|mostly|largely|vast|tons of|lots of|a lot of|a bit|almost always|
  interestingly|surprisingly|obviously|clearly|of course|probably|possibly|perhaps|world-class|best-in-class|
  state-of-the-art|cutting-edge`;

const CLICHE = `at the end of the day|think outside the box|low-hanging fruit|game changer|game-changer|move the needle|
  a level playing field|push the envelope|win-win|win-win situation|the bottom line|in today's fast-paced world|
  hit the ground running|when all is said and done|last but not least|tip of the iceberg|only time will tell|
  in the nick of time|back to the drawing board|the best of both worlds|better late than never|easier said than done|
  few and far between|in this day and age|it goes without saying|crystal clear|at the drop of a hat|a perfect storm|
  paradigm shift|touch base|circle back|take it to the next level|take to the next level|the next level|synergies|
  boil the ocean|deep dive|drink the kool-aid|give 110 percent|it is what it is|leave no stone unturned|
  actions speak louder than words|avoid like the plague|bite the bullet|cut corners|every cloud has a silver lining|
  needle in a haystack|par for the course|reinvent the wheel|the elephant in the room|time is money|value-added`;

const NOT_ADVERB = `ally anomaly apply assembly belly bully butterfly chilly comply costly cowardly curly daily deadly disorderly
  early elderly family fly friendly ghastly gully holy homely hourly imply italy jelly july kindly likely lively lonely lovely
  lowly melancholy molly monthly monopoly multiply nightly only orderly panoply quarterly rally rely reply sally scholarly
  shapely sickly silly sly smelly sprightly stately supply surly tally timely ugly unlikely weekly wily wobbly wooly yearly
  emily kelly sully willy respectively wholly fortnightly bodily brotherly sisterly fatherly motherly worldly saintly leisurely
  cleanly oily hilly pearly grisly grizzly unruly burly hourly biweekly bimonthly`;

const plain = (list: string) => list.split('|').map((phrase) => [phrase.trim(), true] as const);

export const REPLACEMENTS = new PhraseList<string>(
  WORDY.split(/\|\s*/u).map((pair) => pair.split('=') as [string, string]),
);
export const WEASEL_WORDS = new PhraseList<boolean>(plain(WEASEL));
export const CLICHES = new PhraseList<boolean>(plain(CLICHE));
/** Words in -ly that are no adverbs, or that no verb can replace. */
export const NOT_ADVERBS: ReadonlySet<string> = new Set(NOT_ADVERB.split(/\s+/u));

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

export function passivesIn(text: string): { start: number; end: number; before: string }[] {
  return [...text.matchAll(PASSIVE)]
    .filter(({ groups }) => !NOT_PASSIVE.has(groups?.['participle']?.toLowerCase() ?? ''))
    .map(({ 0: before, index }) => ({ start: index, end: index + before.length, before }));
}
