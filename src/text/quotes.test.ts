import { quoteFaults, quotesIn } from './quotes';

const TEXT = 'The “Seller” delivers\n  by 1 May – no later. The Buyer pays.\tThe Buyer pays.';

describe('quotesIn', () => {
  it('finds quotes whose white space, quotation marks and dashes differ, as they stand in the text', () => {
    const [first, second, ...none] = quotesIn(
      ['The Buyer pays.', ' The "Seller" delivers by 1 May - no later. '],
      TEXT,
    );
    expect(none).toEqual([]);
    expect(first).toEqual({ text: 'The “Seller” delivers\n  by 1 May – no later.', start: 0, end: 44 });
    expect(second).toEqual({ text: 'The Buyer pays.', start: 45, end: 60 });
    expect(TEXT.slice(45, 60)).toBe('The Buyer pays.');
  });

  it('leaves out what is not there, and gives a place once', () => {
    expect(quotesIn(['The Buyer', 'The Buyer', 'the buyer', '', '  '], TEXT)).toEqual([
      { text: 'The Buyer', start: 45, end: 54 },
    ]);
  });
});

describe('quoteFaults', () => {
  it('names the quotes that are not there', () => {
    expect(quoteFaults(['The Buyer pays.', 'The Buyer sings.', ''], TEXT)).toEqual([
      'This does not stand in the text word for word: The Buyer sings.',
      'This does not stand in the text word for word: ',
    ]);
  });

  it('takes time linear in a long text', () => {
    expect(quoteFaults(['b'], 'a '.repeat(200_000))).toHaveLength(1);
  });
});
