import { classification, type Label } from './keywords';

const LABELS: Label[] = [
  { name: 'billing', examples: ['I was charged twice on my invoice.', 'Please refund the payment.'] },
  { name: 'technical', examples: ['The app crashes when I log in.', 'An error message appears.'] },
  { name: 'praise', examples: [] },
];

describe('classification', () => {
  it('finds the label whose words the text shares, and the sentences with them', () => {
    const text = 'Hello there. My invoice is wrong: you charged me for June. Can I have a refund?';
    const { label, evidence } = classification(text, LABELS);
    expect(label).toBe('billing');
    expect(evidence.map((sentence) => sentence.text)).toEqual([
      'My invoice is wrong: you charged me for June.',
      'Can I have a refund?',
    ]);
  });

  it('knows none where nothing is shared, or two labels fit equally well', () => {
    const none = { label: null, evidence: [] };
    expect(classification('The weather is lovely today.', LABELS)).toEqual(none);
    expect(classification('An invoice with an error.', LABELS)).toEqual(none);
  });

  it('counts no linking word of the text’s language', () => {
    const labels = [
      { name: 'medizin', examples: ['Die Diagnose und die Therapie der Patientin mit Fieber.'] },
      { name: 'rechnung', examples: ['Bitte zahlen Sie den Betrag.'] },
    ];
    const news = 'Der Konzern teilte das am Donnerstag mit. Streiks und Unwetter haben die Bahn belastet.';
    expect(classification(news, labels)).toEqual({ label: null, evidence: [] });
    expect(classification(`${news} Die Patientin hat Fieber.`, labels).label).toBe('medizin');
  });

  it('counts no word that all labels have', () => {
    const labels = [
      { name: 'cat', examples: ['a pet'] },
      { name: 'dog', examples: ['a pet'] },
    ];
    expect(classification('My pet is here.', labels).label).toBeNull();
    expect(classification('My pet is a dog.', labels).label).toBe('dog');
  });
});
