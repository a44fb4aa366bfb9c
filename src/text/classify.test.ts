import { classification, type Label } from './summary';

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
    expect(classification('It is so.', LABELS)).toEqual(none);
    expect(classification('It is so.', [{ name: 'other', examples: ['a'] }, ...LABELS])).toEqual(none);
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

  describe('weighs what is shared against the length of the text', () => {
    const kinds = [
      {
        name: 'invoice',
        examples: [
          'Invoice number 17: the total amount is due within 30 days.',
          'Bill to: Blue Ltd. Quantity, unit price, VAT, numbers.',
        ],
      },
      { name: 'contract', examples: ['This agreement is made between the parties under the governing law.'] },
    ];
    const news =
      'The city council voted on Wednesday to close the old bridge for two years, after engineers found cracks in ' +
      'three of its pillars. Mayor Ellen Hart told residents that the numbers left no choice: some 40,000 cars cross ' +
      'the river each day, twice what it was built for. Shop owners on the east bank fear for their trade, and a ' +
      'group of them has asked for a ferry. Work could begin in spring, if the weather allows it.';

    it('so that a common word or a number in a long one tells nothing', () => {
      expect(classification(news, kinds)).toEqual({ label: null, evidence: [] });
      expect(classification('The numbers are wrong.', kinds).label).toBe('invoice');
      expect(classification('Bus 17 leaves at 30 past.', kinds).label).toBeNull();
    });

    it('where a word that comes again and again counts twice', () => {
      const few = [
        { name: 'contract', examples: ['This agreement is made between the parties.'] },
        { name: 'invoice', examples: ['Invoice number, total amount due.'] },
      ];
      const text =
        'Each party signs this Agreement. Either party may end it. The Agreement tells the party what to do.';
      expect(classification(`${text} By this Agreement ${news}`, few).label).toBe('contract');
      expect(classification(`One party left, and no Agreement came. ${news}`, few).label).toBeNull();
    });

    it('and against the number of words that a label has', () => {
      const contract =
        'This Agreement is made between Tallow Ltd and Orrin LLC. The Agreement begins on 3 February. The fees are ' +
        'paid by invoice. Each invoice is due within 30 days. The parties to this Agreement submit to the law of Ireland.';
      expect(classification(contract, kinds).label).toBe('contract');
      const invoice =
        'Invoice number 2027-4. Bill to: Meridian. Quantity 40, unit price 1.20. Total amount due: 48.00.';
      expect(classification(invoice, kinds).label).toBe('invoice');
    });
  });
});
