import { keywords } from './summary';

const TEXT = `Solar panels turn sunlight into electricity. A solar panel needs no fuel, and most solar panels last for
decades. The inverter of a solar panel fails first, because its capacitors age. Grid operators pay for electricity.`;

describe('keywords', () => {
  it('finds the phrases that a text repeats, in any of their forms, best first', () => {
    const found = keywords(TEXT, 5);
    expect(found[0]).toEqual({ text: 'solar panel', score: 1, count: 4 });
    expect(found.map(({ text }) => text)).toContain('electricity');
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  });

  it('ranks what a text repeats before a longer phrase that it has once', () => {
    const text =
      'The water pump failed. Regular careful maintenance helps. A pump needs oil, and oil keeps the pump cool. The pump is old.';
    expect(keywords(text, 2)).toMatchObject([
      { text: 'pump', count: 4 },
      { text: 'oil', count: 2 },
    ]);
  });

  it('returns no more than asked for, and no stop words or numbers', () => {
    expect(keywords(TEXT, 2)).toHaveLength(2);
    expect(keywords('It is what it is, and 12 345 of them were there.', 5)).toEqual([]);
  });

  it('takes no part of an address for a word', () => {
    const text = 'See [invoices](https://shop.example/billing) or ask billing@shop.example.';
    expect(keywords(text, 9).map((each) => each.text)).toEqual(['invoices', 'ask']);
  });

  it('knows the function words of German', () => {
    const german =
      'Der Vertrag wird von der Gesellschaft mit dem Mieter über die Wohnung geschlossen und ist wirksam.';
    const found = keywords(german, 20).map(({ text }) => text);
    expect(found).toEqual(expect.arrayContaining(['Vertrag', 'Gesellschaft', 'Mieter']));
    expect(found.join(' ')).not.toMatch(/\b(der|dem|über|und)\b/);
  });

  it.each([
    ['人工智能正在改变医疗行业。医生使用人工智能诊断疾病。', '人工智能'],
    ['電気自動車の販売が増えています。電気自動車は静かです。', '電気自動車'],
    ['기후 변화는 농업에 영향을 준다. 기후 변화가 빠르다.', '기후'],
  ])('finds the words of a text without spaces: %s', (text, wanted) => {
    expect(keywords(text, 2).map((each) => each.text)).toContain(wanted);
  });
});
