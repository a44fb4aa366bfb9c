const POSITIVE = `admirable advantage affordable amazing amused appreciate appreciated attractive award awesome beautiful beneficial benefit
  benefits best better bright brilliant calm celebrate charming cheerful comfortable compelling confident convenient
  courteous creative delight delighted delightful dependable easy effective efficient elegant enjoy enjoyable enjoyed
  enthusiastic excellent excited exciting exceptional famous fantastic fast favorite favourite flawless fresh friendly fun
  gain generous genuine glad good gorgeous graceful grateful great growth happy healthy helpful honest honor honour ideal impressed
  impressive improve improved improvement improvements improves incredible innovative inspiring intuitive joy lovely love loved
  loves lucky magnificent marvelous nice outstanding painless perfect perfectly pleasant pleased pleasing pleasure polite popular
  positive praise praised prosper proud quick recommend recommended refreshing reliable remarkable responsive rewarding
  robust safe satisfied satisfying seamless secure smart smooth solid splendid stable strong stunning succeed success
  successful superb superior supportive sweet terrific thank thankful thanks thrilled thrive tremendous trust trusted
  useful valuable vibrant warm welcome well win winner wonderful worth worthwhile wow`;
const NEGATIVE = `abuse afraid aggressive alarming angry annoyed annoying anxious appalling ashamed awful awkward bad badly bankrupt blame boring
  broke broken bug bugs buggy burden careless cheated clumsy complain complained complaint complaints complicated confused confusing
  costly crash crashed crashes crisis critical cruel damage damaged danger dangerous dead decline declined defect defective defects
  delay delayed delays deny difficult dirty disappoint disappointed disappointing disappointment disaster disgusting dishonest
  dislike dreadful dull error errors evil expensive fail failed failing fails failure failures fake fault faulty fear flaw flawed
  flaws foolish fraud frustrated frustrating frustration garbage guilty harm harmful harsh hate hated hates hateful horrible
  hostile hurt ignored illegal impossible inadequate incompetent inconvenient incorrect inferior insecure insult irritating
  lack lacking lawsuit lazy lie lied lose losing loss losses lost mad malicious mediocre mess messy miserable mislead misleading
  missed mistake mistakes nasty negative neglect neglected noisy nuisance obsolete offensive outage outages overpriced pain painful
  panic pathetic poor poorly problem problems refuse refused regret reject rejected ridiculous risk rude ruin ruined sad scam
  scared severe shame shocking sick slow sluggish stolen stress stressful struggle stuck stupid suffer suffered suspicious terrible
  threat tragic trouble ugly unacceptable uncomfortable unfair unfortunate unfortunately unhappy unhelpful unpleasant unreliable
  unsafe unstable unusable upset useless vague violent waste wasted weak worried worry worse worst worthless wrong`;
const INFORMAL = `ain't awesome btw cool cos cuz dude dunno folks gonna gotta guess guy guys haha hey hi hmm imo kid kids kinda lol
  lots mess nah nope okay ok omg oops pls plz pretty stuff super sorta thanks thx totally u ur wanna whatever wow ya yay yeah yep yup
  y'all bro crap damn heck huh sucks tons`;
const FORMAL = `accordingly acknowledge aforementioned aforesaid albeit ascertain commence commencing consequently constitute constitutes
  deem deemed demonstrate endeavor endeavour ensuing foregoing forthwith furthermore henceforth hereby herein hereinafter hereof
  hereto hereunder herewith inasmuch insofar jurisdiction moreover nevertheless nonetheless notwithstanding obligations oblige
  obliged permitted pursuant regarding respectively shall stipulate stipulated sincerely subsequent subsequently thereafter thereby
  therefore therefrom therein thereof thereto thereunder thus undersigned undertake upon whereas whereby wherein whereof whilst
  esteemed kindly respectfully provided`;

const valued = (list: string, value: number) => list.split(/\s+/u).map((word) => [word, value] as const);

/** English words that speak well (1) or ill (-1) of what they stand with. */
export const SENTIMENT_WORDS: ReadonlyMap<string, number> = new Map([
  ...valued(POSITIVE, 1),
  ...valued(NEGATIVE, -1),
]);
export const NEGATIONS: ReadonlySet<string> = new Set(
  'not no never neither nor without hardly barely cannot nothing nobody'.split(' '),
);
export const STRENGTHENERS: ReadonlySet<string> = new Set(
  'very extremely really so absolutely incredibly highly deeply'.split(' '),
);
export const INFORMAL_WORDS: ReadonlySet<string> = new Set(INFORMAL.split(/\s+/u));
export const FORMAL_WORDS: ReadonlySet<string> = new Set(FORMAL.split(/\s+/u));
