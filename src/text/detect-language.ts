import { detectAll } from 'tinyld';
import { addTo } from '../runtime/collections';
import { STOP_WORDS } from './content-stems';

interface LanguageCandidate {
  readonly language: string;
  readonly score: number;
}

interface DetectedLanguage {
  /** ISO 639-1; null where uncertain. */
  readonly language: string | null;
  readonly candidates: readonly LanguageCandidate[];
}

/** In UTF-16 units. More of a text adds no evidence. */
const READ_LENGTH_MAX = 2_000;
const CANDIDATES_MAX = 5;
/** Share of the letters that tinyld knows for the language; below it tinyld guesses. */
const ACCURACY_MIN = 0.05;
/** Addresses, paths, markup and code: English words in them say nothing about the text. */
const IN_CODE = /[/@_=<>{}[\]\\|;]|\w[.(]\w/u;
const MIXED = new Set('en de fr es it pt nl sv da no pl ru uk tr'.split(' '));
/** With this much, and half of the first language's, a second of these languages is in the text too. */
const RIVAL_ACCURACY_MIN = 0.25;
const LATIN_LETTER = /\p{Script=Latin}/gu;
const LETTER = /\p{L}/gu;
const LOWER_CASE_WORD = /(?<![\p{L}\p{N}])\p{Ll}{2,30}(?![\p{L}\p{N}])/u;
const WORD = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]{2,30}(?![\p{L}\p{M}\p{N}])/gu;
const SENTENCE_BEGINS = /(?:^|[.?!:¿¡„“"«(\n])\s{0,3}$/u;
/** Of all letters. In another script Latin words are names. */
const LATIN_SHARE_MIN = 0.9;
export const VIETNAMESE_LETTER = /[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u;
/** Function words decide with this weight, this share of all words, and this multiple of the next language's. */
const WORDS_WEIGHT_MIN = 1;
const WORDS_SHARE_MIN = 0.1;
const WORDS_LEAD_MIN = 2;
/** From this weight on another language is in the text too, unless it is far behind. */
const MIXED_WEIGHT_MIN = 1.5;
const MIXED_LEAD_MIN = 4;

/** ISO 639-1; null where uncertain, as for names and codes. */
export function detectLanguage(text: string): string | null {
  return detectedLanguage(text).language;
}

export const ENGLISH_ALONE =
  'Without one only texts in English are read, and this one is in another language.';

/** Rules for English apply unless another language is detected. */
export function mayBeEnglish(text: string): boolean {
  return [null, 'en'].includes(detectLanguage(text));
}

export function detectedLanguage(text: string): DetectedLanguage {
  const read = text.slice(0, READ_LENGTH_MAX).replace(/\S+/gu, (run) => (IN_CODE.test(run) ? '' : run));
  if (latinShareOf(read) > 0.5 && !LOWER_CASE_WORD.test(read)) {
    return { language: null, candidates: [] };
  }
  return byFunctionWords(read) ?? byLetters(read);
}

/** Null where they do not decide. By one rare group of letters tinyld takes "Grainger Market" for Tagalog. */
function byFunctionWords(text: string): DetectedLanguage | null {
  if (latinShareOf(text) < LATIN_SHARE_MIN) {
    return null;
  }
  const all = [...text.matchAll(WORD)];
  const weights = new Map<string, number>();
  for (const [index, word] of all.entries()) {
    const languages = isOfName(all, index) ? [] : languagesOf(word[0].toLowerCase());
    for (const language of languages) {
      weights.set(language, (weights.get(language) ?? 0) + 1 / languages.length);
    }
  }
  const ranked = [...weights]
    .filter(([language]) => hasAlphabet(language, text))
    .sort(([, one], [, other]) => other - one);
  const [[language, weight] = ['', 0], [, rival] = ['', 0]] = ranked;
  const lead = rival < MIXED_WEIGHT_MIN ? WORDS_LEAD_MIN : MIXED_LEAD_MIN;
  const isClear = weight >= Math.max(WORDS_WEIGHT_MIN, WORDS_SHARE_MIN * all.length, lead * rival);
  return isClear ? { language, candidates: candidatesOf(ranked) } : null;
}

function languagesOf(word: string): readonly string[] {
  if (word.includes('ə')) {
    return ['az'];
  }
  return VIETNAMESE_LETTER.test(word) ? ['vi'] : (LANGUAGES_OF_WORD.get(word) ?? []);
}

function isOfName(all: readonly RegExpExecArray[], index: number): boolean {
  const hasCapital = (step: number) => isCapital(all[index + step]);
  return (
    hasCapital(0) || (hasCapital(-1) && (hasCapital(1) || hasCapital(2))) || (hasCapital(-2) && hasCapital(1))
  );
}

function isCapital(word: RegExpExecArray | undefined): boolean {
  return (
    word !== undefined &&
    /^\p{Lu}/u.test(word[0]) &&
    !SENTENCE_BEGINS.test(word.input.slice(Math.max(0, word.index - 4), word.index))
  );
}

/** Letters that an alphabet lacks and its neighbours have, in words that are no names. */
const FOREIGN_LETTERS: Readonly<Record<string, RegExp>> = {
  be: /(?<!\p{L})\p{Ll}{0,20}[ищъїєґ]/gu,
  uk: /(?<!\p{L})\p{Ll}{0,20}[ыэёъў]/gu,
  ru: /(?<!\p{L})\p{Ll}{0,20}[іїєґў]/gu,
  bg: /(?<!\p{L})\p{Ll}{0,20}[ыэёіїєґў]/gu,
  id: /(?<!\p{L})\p{Ll}{0,20}[ışğ]/gu,
  tr: /(?<!\p{L})\p{Ll}{0,20}ə/gu,
};

/** A text of another language may quote one word in a hundred characters. */
function hasAlphabet(language: string, text: string): boolean {
  const letters = FOREIGN_LETTERS[language];
  return !letters || 100 * (text.match(letters)?.length ?? 0) <= text.length;
}

function byLetters(text: string): DetectedLanguage {
  const all = detectAll(text).filter(({ lang }) => lang.length === 2);
  const found = all.filter(({ lang }) => hasAlphabet(lang, text));
  const sure = all.reduce((rest, each) => (found.includes(each) ? rest : rest - each.accuracy), 1);
  const [first, second] = found;
  const isOfTwo =
    first &&
    second &&
    MIXED.has(second.lang) &&
    second.accuracy >= Math.max(RIVAL_ACCURACY_MIN, first.accuracy / 2);
  return {
    language: first && first.accuracy >= ACCURACY_MIN * Math.max(0, sure) && !isOfTwo ? first.lang : null,
    candidates: candidatesOf(found.map(({ lang, accuracy }) => [lang, accuracy])),
  };
}

function candidatesOf(ranked: readonly (readonly [language: string, weight: number])[]): LanguageCandidate[] {
  const sum = ranked.reduce((total, [, weight]) => total + weight, 0);
  return ranked
    .slice(0, CANDIDATES_MAX)
    .map(([language, weight]) => ({ language, score: Math.round((weight / sum) * 1000) / 1000 }));
}

function latinShareOf(text: string): number {
  return (text.match(LATIN_LETTER)?.length ?? 0) / (text.match(LETTER)?.length ?? 1);
}

/** Linking words by ISO 639-1: RAKE looks for phrases between them, and answers need not have them. */
export const FUNCTION_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: `${[...STOP_WORDS].join(' ')}
    across already although always among around away back become becomes came come comes done even every
  first get gets getting give given gives go goes going gone got instead keep keeps kept last later least less let made
  make makes making may much must never new next often one ones onto per put quite rather really said says see seen several
  since still take taken takes taking took toward towards two use used uses using usually want wants way well went yes yet
  today tomorrow yesterday also however therefore moreover furthermore additionally via etc including include includes
  included based without within can't don't doesn't isn't aren't won't it's that's we're you're they're i'm`,
    de: `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit
  dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein
  eine einem einen einer eines er es etwas euch euer für gegen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn
  ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes jene kann kein keine keinem keinen keiner
  können könnte machen man manche mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein
  seine seinem seinen seiner seit sich sie sind so solche soll sollen sollte sondern sonst über um und uns unser unsere unter
  viel vom von vor während war waren was weil welche wenn wer werde werden wie wieder will wir wird wirst wo wollen wurde
  wurden zu zum zur zwar zwischen sowie bereits dabei dafür daher davon dazu gestern heute morgen
  welcher welches welchen welchem wem wen wessen wann warum
  wofür woran wovon womit wodurch worin woraus worauf worüber wonach wozu wohin woher wieso weshalb`,
    fr: `a afin ai ainsi alors après au aucun aucune aussi autre autres aux avant avec avoir bien car ce ceci cela celle
  celles celui ces cet cette ceux chaque chez comme comment dans de depuis des deux dont du elle elles en encore entre est et
  étaient était étant être eu eux fait faire fois il ils je la le les leur leurs lors lui ma mais même mes moins mon ne ni
  non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi quand que quel quelle quelles
  quels qui quoi sa sans se sera ses si son sont sous sur ta te tes ton tous tout toute toutes très tu un une vers vos votre
  vous y c d j l m n qu s hier demain l'on c'est d'un d'une qu'il qu'elle`,
    es: `a al algo algunas algunos ante antes aquel así aún aunque bajo bien cada casi como con contra cual cuales
  cuando de del desde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están
  estas este esto estos fue fueron ha había han hasta hay la las le les lo los más me mi mientras muy nada ni no nos nosotros
  nuestra nuestro o os otra otras otro otros para pero poco por porque pues que qué quien quienes se según ser si sí sido
  sin sobre son su sus también tan tanto te tiene tienen toda todas todo todos tu tus un una unas uno unos usted y ya yo ayer hoy mañana
  cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo dónde quién quiénes`,
    it: `a abbiamo ad agli ai al alla alle allo altri anche ancora aveva c che chi ci come con così cui da dai dal dalla
  dalle degli dei del dell della delle dello deve di dopo dove due e è ed era erano essere fare fino fra gli ha hanno ho i il in
  io l la le lei lo loro lui ma me mi mia mio molto ne negli nei nel nell nella nelle noi non nostra nostro o ogni oggi per perché
  però più poi prima può qua quale quando quanto quella quelle quelli quello questa queste questi questo qui sarà se sei senza si
  sia siamo sono sopra sotto sta stato su sua sugli sui sul sulla suo suoi tra tu tutte tutti tutto un una uno vi domani ieri
  quali quanti quante perchè`,
    pt: `a ainda ao aos aquele as às assim até cada com como contra da das de dela dele deles depois desde deve do dos e é
  ela elas ele eles em entre era essa essas esse esta está estamos estão este estes eu foi foram há isso isto já la lhe mais mas me
  mesmo meu minha muito na nas não nem nenhum no nos nós nossa nosso num numa o onde os ou outra outro para pela pelas pelo
  pelos pode podem pois por porque quais qual quando que quem se seja sem ser será seu seus só sobre sua suas também te tem têm
  ter teu todas todo todos tudo um uma umas uns você vocês amanhã hoje ontem`,
    nl: `aan achter al alle alleen als andere bij binnen daar dan dat de deze die dit doen door dus echter een eens en er geen
  gewoon haar had hebben heeft hem het hier hij hoe hun ik in is ja je jij jullie kan kunnen maar me meer men met mij mijn
  moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen ten toch toen tot u uit uw van
  vanaf veel volgens voor waar waren was wat we wel werd werden wie wij wil word worden wordt zal ze zich zij zijn zo zoals
  zonder zou zullen gisteren morgen vandaag
  wanneer waarom welke hoeveel wiens waarvan waarin waarmee`,
    sv: `alla alltid att av blev bli blir då de dem den denna deras dess det detta dig din du efter eller en er ett för
  från ha hade han har hon honom hur i icke inga ingen inom inte jag kan ska kommer kunde man med mellan men mig min mot mycket
  måste när någon något några nu och också om oss på samma sedan sig sin sitt skulle som så till under upp ut utan var vad vara
  vi vid vilka är än åt över
  vem vems vilken vilket varför många varje`,
    da: `af alle alt at blev bliver da de dem den denne der deres det dette dig din dog du efter eller en end er et for
  fordi fra før ham han hans har havde hende hun hvad hvilken hvis hvor i ikke ind inden ingen jeg jer jeres kan kunne man mange med meget mellem
  men mig min mod må måtte nu når og også om op os over på sig sin skal skulle som så til ud uden under var ved vi vil ville være
  været vores
  hvem hvornår hvorfor hvordan hvilke hvilket`,
    no: `alle alt at av ble bli blir da de dem den denne der dere deres det dette du eller en er et etter for fordi fra før
  ha hadde ham han har hun hva hvilken hvis hvor i ikke ingen inn innen jeg kan kunne man mange med meg mellom men min mot mye må nå
  når noe noen og også om opp oss over på seg sin skal skulle som så til uten under ut var ved vi vil ville være vært vår våre
  hvem hvorfor hvordan hvilke hvilket`,
    fi: `ei eivät en että he hän ja jo joka jos jossa jotka kanssa kuin kun me mikä minun minä mitä mutta myös ne niin
  nyt olen oli olivat olla on ovat se sen siitä sitä sinä tai tämä tämän tässä vain voi vielä mukaan koska ennen jälkeen kaikki
  joten sekä
  kuka ketkä missä milloin miksi miten kuinka montako mistä mihin`,
    pl: `aby albo ale bardzo bez będzie być był była było być cię co czy dla do gdy go i ich ile innych ja jak jako je jego
  jej jest jeszcze jeśli już każdy kiedy która które którego której który których lub ma mam może mi mnie na nad nas nie nim niż o
  od oraz po pod przed przez przy są się tak także tego tej ten to tutaj tych tylko tym u w we wszystkie z za ze że
  kto kogo komu kim gdzie dlaczego jaki jaka jakie jakim jakiej czym czego czemu ona oni one ono ją jemu jeden`,
    cs: `aby ale ani až bez bude budou by byl byla bylo být co či do i ja jak jako je jeho její jejich jen jenž ještě ji jsem
  jsme jsou k kde kdo když která které který ke má mezi mi na nad nebo než o od pak po pod podle pro proto protože před při s
  se si své ta tak také tedy ten to této tím tohoto tuto u už v ve však vše z za ze že
  kdy koho komu jaký jaká jaké kolik proč kam odkud čím čeho ona oni`,
    sk: `aby aj ako ale alebo ani až bez bol bola bolo bude by byť čo do ho i ich ja je jeho jej k kde keď ktorá ktoré
  ktorý ku len ma má medzi mi na nad nie o od po pod podľa pre preto pretože pri s sa si so som sme sú svoj tak to tá tento toto
  túto u už v vo však z za zo že
  kto koho komu kedy aký aká aké koľko prečo kam odkiaľ čím čoho ona oni`,
    ro: `a acest această acestei acum ai al ale am ar are au avea ca care că ce cel cele cu cum da dar de decât despre din
  după el ele este eu fi fie fost iar îi îl în încă între își la le lor lui mai mea mult ne nici noi nu o ori pe pentru până
  prin sau să se și sunt sunteți spre te toate tot tu un una unde unei unor unui va vă voi
  cine cui când cât câtă câte câți cei celui celei celor acestui aceste acestor această sa său săi sale fost fără asupra între prima primul`,
    hu: `a abban ahogy aki akkor alatt által amely amelyek ami arra át az azonban azt be csak de e ebben egy egyik el
  én és ez ezek ezt fel hanem ha hogy ide illetve is itt kell ki le lehet lesz majd már más meg mely mert mi miatt mint most
  nagyon nem nincs ő ön pedig s sem szerint ti után utolsó vagy vagyok van vannak volt
  mikor hol hogyan miért hány melyik mennyi honnan hová kinek kit mit`,
    tr: `ama ancak artık bana bazı ben bir biz bu bunu bunun çok çünkü da daha de değil diye en gibi göre hem hep her
  için ile ise kadar ki kendi mı mi mu mü nasıl ne neden o olan olarak oldu olduğu olur onlar onu onun ona sen siz sonra şey
  şu tüm üzere var ve veya ya yok yani hangi hangisi hangisidir hangileri kim kimdi kimdir kime kimi kimin kimler nedir nelerdir
  neler neydi neye neyi neyin neden nerede nerededir nereden nereye nereden kaç kaçtır kaçıncı nasıldır zaman ne arasında
  arasındaki tarafından hakkında içinde içindeki üzerinde üzerindeki altında önce önceki sonraki birlikte karşı doğru beri
  dışında yerine rağmen itibaren dolayı ait diğer bütün birçok bazıları hiç hiçbir böyle şöyle eğer fakat lakin ayrıca
  ya dahi henüz yalnızca sadece bile olması olmak edilen eden etmek edildi etti vardı değildi bunlar şunlar onların bunların
  benim senin onun bizim sizin bize size bunda burada orada şimdi`,
    ca: `a això aixó al als amb aquest aquesta aquests cada com d de del dels des després doncs el ells els em en entre
  era és esta està fins ha han hi i ja l la les li llavors lo m mateix més meu molt n ni no nosaltres o on pel pels per però
  perquè quan que qui quin s seu seva si sense ser són sobre també tan té tot tots un una unes uns va vam vostè`,
    af: `aan al as baie by daar dan dat deur die dit een en gaan geen haar had hede hierdie hoe hom hulle in is jou julle
  jy kan maar meer met moet my na nie nog nou of om onder ons ook op oor sal se sê so sonder sou sy te teen tot tussen tydens uit
  van vir voor waar wanneer was wat watter wees word wie`,
    id: `ada adalah agar akan antara apa apakah atas atau bagi bahwa banyak belum bisa dalam dan dapat dari dengan di dia
  harus ia ini itu jika juga kami kamu kapan karena ke kepada kita lebih mana mereka namun oleh pada para pun saat saja sangat saya
  sebagai sebuah secara sejak seorang seperti siapa sudah tapi telah tentang tersebut tetapi tidak untuk yang`,
    et: `aga ainult ei ega ehk et iga ja juba ka kas kes kui kuid kuidas kus kõik kõige ma me meie mida millal mille miks mis mitte
  mitu mu nad nagu need neid ning nii nüüd oli olid olla oma on saab see seda selle ta tema ta võib või välja väga üks`,
    lv: `ar arī bet bija būt caur ceļā citi dažādi es gan ir ja jau jo ka kad kā kas kāda kāds kam kur ko kopā kura kurā kuras kuri kurš
  lai līdz mēs nav ne no pa par pēc pie pret savu tā tad tas tie tiek tika to tomēr tur un uz vai var vairāk viņa viņš viņi visi vēl`,
    lt: `apie ar arba bei bet būti buvo dar dėl gali į ir iš jau jei jie jis jo jos ji jų kad kada kai kaip kas kokia koks kur
  kuri kurie kuris labai mes ne nei nėra net nuo o pagal per po prie prieš savo su tai taip tačiau tarp tik už vis visi yra`,
    ga: `a ach ag agus an ar as atá bhfuil bhí cad cathain cé chun conas cá de do é faoi freisin gan go gur i is in le leis
  mar mé na nach ní nó ó roimh sa san sé seo sí sin siad tar tá tú um`,
    is: `að af allt á áður án ef eftir ekki en er eru eða fyrir frá hafa hafði hann hefur hér hún hvað hvar hver hvenær hvernig í
  já ég með mjög nú og okkur sem sér sig sín síðan svo til um undir upp úr var vera verið verður við vill yfir það þá þar þau þegar þeir
  þeim þess þessi þetta því`,
    la: `ab ac ad atque aut autem cum de dum e eius enim ergo est et etiam ex haec hic hoc iam id igitur ille in inter ipse is
  ita me nam ne nec neque nihil nisi non nos nunc ob per post pro qua quae quam qui quia quid quis quo quod quoque se sed si sic sine
  sub sum sunt suum tamen te tu ubi ut vel vero`,
    eo: `al ankaŭ antaŭ aŭ ĉar ĉe ĉi ĉiuj ĉu da de dum ekde el en estas estis esti ĝi ĝis ili inter ĝia ĝin ja jam kaj ke kia kial kie
  kiam kiel kio kiu kiuj kun la laŭ li mi mia ne nek ni nun oni per plej pli por post pri pro se sed sen ŝi sia sub sur tamen tio tiu
  tiuj tre vi`,
    tl: `ako ang ano at ay ba bago dahil din hindi ito iyon ka kanyang kapag kay kaya kung lang mga mo na nang ng ngunit ni nila
  nito niya para pero rin sa saan si sila sino siya upang wala`,
    ru: `а без более бы был была были было быть в вам вас весь во вот все всех вы где да для до его ее её если есть еще ещё
  же за здесь и из или им их к как когда которая которые который кто ли мне можно мы на над не нет но о об он она они от по
  под после при с свой со так также там то только ты у уже чем что чтобы эта эти это этого этой этот я`,
    uk: `а або але б без біля був була були було бути в вам вас ви від він вона вони все всі де для до же за з зі і
  його її із й їх ж коли котрий ми може на над не ні о об один під після по при про саме своє та так також там те ти тим то
  тільки у це цей ці цього чи чому що щоб я як яка яке який які якщо є`,
    bg: `а ако аз без беше бъде бяха в вече ви във все всички до докато за защо и из или им има има как като към
  която които което който ли между ми много може му на над най не него нея ни ние но някои от още по под поради при с са само
  сега се си след съм със също така там те този тя това тази тези той тук ще че`,
    el: `ο η το οι τα του της των τον την τους τις στο στη στην στον στα στους στις και με για από που είναι ήταν να θα δεν
  μην σε ως κατά μετά μεταξύ αυτό αυτή αυτός αυτά ένας μια ένα έχει είχε έχουν κάθε πολύ όταν αν αλλά ή τι ποιος ποια ποιο ποιοι
  ποιες πού πότε πώς γιατί πόσο πόσα πόσοι πόσες`,
    ar: `في من على إلى عن مع أن إن كان كانت يكون تكون التي الذي الذين هذا هذه ذلك تلك هو هي هم قد لقد لا لم لن ليس أو ثم بل
  بعد قبل عند كل بين أي أية حيث كما منذ خلال أثناء حول ضد غير بعض عليه عليها فيه فيها منه منها له لها لهم به بها ما ماذا متى أين كيف كم
  لماذا هل و`,
    hi: `का के की को में से पर ने और या है हैं था थे थी हो होना होता होती होते हुआ हुई हुए कर करना करने करता करते करती किया
  किए की गया गई गए यह वह ये वे इस उस इन उन इसके उसके एक जो तो ही भी नहीं न तक लिए साथ द्वारा अपने अपनी अपना कि रहा रही रहे
  जाता जाती जाते क्या कौन कौनसा किस किसे किसने किसका किसकी किसके कब कहाँ कहां कैसे क्यों कितना कितने कितनी`,
    vi: `và của là có được trong cho với một các những này đó ở tại từ đến không đã đang sẽ bị do vì thì mà như về trên
  dưới ra vào theo cũng nhưng hoặc hay khi nếu nên rất còn chỉ ai gì nào đâu sao bao nhiêu`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

const LANGUAGES_OF_WORD = new Map<string, string[]>();
for (const [language, words] of FUNCTION_WORDS) {
  for (const word of words) {
    addTo(LANGUAGES_OF_WORD, word, language);
  }
}
