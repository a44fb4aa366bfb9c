/**
 * English words that say nothing about a text's subject. Words of questions ("how many", "tell me") are among them,
 * because an answer does not have to contain them.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above according after again against all also am an and any are as at be because been before being below
  between both but by can could did do does doing don down during each either else ever few for from further had has
  have having he her here hers herself him himself his how however i if in into is it its itself just let ll me might
  more most must my myself no nor not now of off on once only or other our ours ourselves out over own please re s same
  shall she should so some such t than that the their theirs them themselves then there these they this those through
  thus to too under until up upon us ve very was we were what when where whether which while who whom whose why will
  with within without would yet you your yours yourself yourselves
  answer briefly describe exactly explain far find give kind list long many mean mention much name passage question
  say show sort tell text`.split(/\s+/),
);
