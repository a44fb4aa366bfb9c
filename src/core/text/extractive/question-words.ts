/**
 * Words of questions in languages beside English, without accents. An answer does not have to contain them. Words that mean
 * something in English are not among them; articles need not be, because many sentences hold them.
 */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(
  `wann wer wen wem wie wo wohin woher warum wieso weshalb welche welcher welches welchen welchem wieviel
  quand qui quoi comment pourquoi quel quelle quels quelles combien
  cuando quien quienes donde cual cuales cuanto cuantos cuanta cuantas
  quando chi perche quale quali quanto quanti quanta quante
  quem onde quais quantos quantas
  wanneer waar waarom welk hoeveel
  когда кто что где куда как почему какой какая какие сколько
  vem vad varfor hur vilken vilket
  什 么 何 谁 哪 吗 呢 か`.split(/\s+/),
);

/** "What time" asks for a time, which an answer tells without the word. */
export const KIND_ASKED_FOR =
  /\b(?:what|which)(?: is the| are the| was the)? (?:times?|days?|dates?|years?|months?|places?|numbers?|amounts?|reasons?)\b/giu;

/**
 * What a question may hold and its answer lack, though it is no word of questions: verbs that ask for anything ("what
 * happens to"), as stems, and the small words of other languages that mean nothing in English, without accents.
 */
const NEED_NOT_BE_HELD: ReadonlySet<string> = new Set(
  `allow permit possibl need want get take make know call happen exist way thing someon somebodi anyon anybodi peopl person
  on pleas there
  der das den dem des ein eine einen einem einer eines und oder ist sind waren haben hatte wird werden kann konnen
  muss mussen darf durfen es er sie ich du wir ihr im in an am auf aus bei mit nach von vom zu zum zur fur uber gibt viel
  viele lange heißt heisst heißen mein meine
  le la les un une des du de d l et ou est sont a ont il elle ils elles y en dans sur au aux pour par avec ce cette se s que
  el los las una unos unas del y o es esta estan hay se su al por para
  lo i gli uno della del dei delle nel nella e sono ha hanno si c
  os as um uma do da dos das em no na ao sao
  het een van op voor met zijn heeft
  есть был была было были ли и или в во на с со из к ко о об от до по за у не это какого какому каком чем чего кому кого
  是 的 了 在 有 几 多 少 怎 样 点 里`.split(/\s+/),
);
/** Japanese writes its endings and small words with these. */
const HIRAGANA = /^\p{Script=Hiragana}$/u;

/** Whether an answer has to hold this stem of its question, for the question to be about it. */
export function isSubject(stem: string): boolean {
  return !NEED_NOT_BE_HELD.has(stem) && !HIRAGANA.test(stem);
}
