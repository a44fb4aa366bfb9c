import { quotePlaces } from './quotes';

const TEXT = 'The “Seller” delivers\n  by 1 May – no later. The Buyer pays.\tThe Buyer pays.';

describe('quotePlaces', () => {
  it('finds quotes whose white space, quotation marks and dashes differ, as they stand in the text', () => {
    const quotes = ['The Buyer pays.', ' The "Seller" delivers by 1 May - no later. '];
    expect(quotePlaces(quotes, TEXT)).toEqual([
      { text: 'The Buyer pays.', start: 45, end: 60 },
      { text: 'The “Seller” delivers\n  by 1 May – no later.', start: 0, end: 44 },
    ]);
    expect(TEXT.slice(45, 60)).toBe('The Buyer pays.');
  });

  it('has no place for what is not there, and the first one for what stands there twice', () => {
    const place = { text: 'The Buyer', start: 45, end: 54 };
    expect(quotePlaces(['The Buyer', 'the buyer', '', '  ', 'The Buyer'], TEXT)).toEqual([
      place,
      null,
      null,
      null,
      place,
    ]);
  });

  it('takes time linear in a long text', () => {
    expect(quotePlaces(['b'], 'a '.repeat(200_000))).toEqual([null]);
  });
});
