import { STOP_WORDS } from '../stop-words';

/** English verbs and adverbs that link phrases and say nothing about a subject, beside the stop words of search. */
const ENGLISH = `across already although always among around away back become becomes came come comes done even every
  first get gets getting give given gives go goes going gone got instead keep keeps kept last later least less let made
  make makes making may much must never new next often one ones onto per put quite rather really said says see seen several
  since still take taken takes taking took toward towards two use used uses using usually want wants way well went yes yet
  today tomorrow yesterday also however therefore moreover furthermore additionally via etc including include includes
  included based without within can't don't doesn't isn't aren't won't it's that's we're you're they're i'm`;

const GERMAN = `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit
  dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein
  eine einem einen einer eines er es etwas euch euer für gegen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn
  ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes jene kann kein keine keinem keinen keiner
  können könnte machen man manche mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein
  seine seinem seinen seiner seit sich sie sind so solche soll sollen sollte sondern sonst über um und uns unser unsere unter
  viel vom von vor während war waren was weil welche wenn wer werde werden wie wieder will wir wird wirst wo wollen wurde
  wurden zu zum zur zwar zwischen sowie bereits dabei dafür daher davon dazu`;

const FRENCH = `a afin ai ainsi alors après au aucun aucune aussi autre autres aux avant avec avoir bien car ce ceci cela celle
  celles celui ces cet cette ceux chaque chez comme comment dans de depuis des deux dont du elle elles en encore entre est et
  étaient était étant être eu eux fait faire fois il ils je la le les leur leurs lors lui ma mais même mes moins mon ne ni
  non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi quand que quel quelle quelles
  quels qui quoi sa sans se sera ses si son sont sous sur ta te tes ton tous tout toute toutes très tu un une vers vos votre
  vous y l'on c'est d'un d'une qu'il qu'elle`;

const SPANISH = `a al algo algunas algunos ante antes aquel así aún aunque bajo bien cada casi como con contra cual cuales
  cuando de del desde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están
  estas este esto estos fue fueron ha había han hasta hay la las le les lo los más me mi mientras muy nada ni no nos nosotros
  nuestra nuestro o os otra otras otro otros para pero poco por porque pues que qué quien quienes se según ser si sí sido
  sin sobre son su sus también tan tanto te tiene tienen toda todas todo todos tu tus un una unas uno unos usted y ya yo`;

/** Per language as ISO 639-1: the words between which RAKE looks for phrases. */
export const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set([...STOP_WORDS, ...ENGLISH.split(/\s+/)]),
  de: new Set(GERMAN.split(/\s+/)),
  fr: new Set(FRENCH.split(/\s+/)),
  es: new Set(SPANISH.split(/\s+/)),
};
