type WordsOf<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? WordsOf<Rest, Found | Word>
  : Found | Text;

export function wordList<const Text extends string>(text: Text): readonly WordsOf<Text>[] {
  return text.split(' ') as WordsOf<Text>[];
}
