import { casesOf } from '../../test/support/texts/text-cases';
import { amountsIn } from './amounts';

describe('amountsIn', () => {
  it.each(casesOf<{ text: string; amounts: [string, string][] }>('amounts'))(
    'reads all of $text',
    ({ text, amounts }) => {
      const found = amountsIn(text).map(({ amount, currency }) => [currency, Number(amount)]);
      expect(found).toEqual(amounts.map(([currency, amount]) => [currency, Number(amount)]));
    },
  );

  it('reads past the marks of Markdown, and gives the words as they stand there', () => {
    const text = 'Pay **EUR** 500 or **$1,250** now.';
    expect(amountsIn(text)).toMatchObject([
      { text: 'EUR** 500', amount: '500.00' },
      { text: '$1,250', amount: '1250.00' },
    ]);
  });

  it.each([
    ['$1,250.00', '1250.00', 'USD'],
    ['$5', '5.00', 'USD'],
    ['89,– €', '89.00', 'EUR'],
    ['US$ 4.2 million', '4200000.00', 'USD'],
    ['$1.5bn', '1500000000.00', 'USD'],
    ['€20k', '20000.00', 'EUR'],
    ['1.250,00 €', '1250.00', 'EUR'],
    ['1.250 €', '1250.00', 'EUR'],
    ['1 250,50 EUR', '1250.50', 'EUR'],
    ["CHF 1'250.75", '1250.75', 'CHF'],
    ['£0.125', '0.125', 'GBP'],
    ['USD 1,000,000', '1000000.00', 'USD'],
    ['5 million dollars', '5000000.00', 'USD'],
    ["3,2 millions d'euros", '3200000.00', 'EUR'],
    ["800 milliards d'euros", '800000000000.00', 'EUR'],
    ['2 miliardi di euro', '2000000000.00', 'EUR'],
    ['1 millón de euros', '1000000.00', 'EUR'],
    ['30 mil euros', '30000.00', 'EUR'],
    ['3,2 milioni di euro', '3200000.00', 'EUR'],
    ['3 millones de euros', '3000000.00', 'EUR'],
    ['300 euros', '300.00', 'EUR'],
    ['-$500', '-500.00', 'USD'],
    ['₹1,00,000', '100000.00', 'INR'],
    ['450 kr', '450.00', null],
    ['1.250,50 lei', '1250.50', 'RON'],
    ['RM 1,200.50', '1200.50', 'MYR'],
    ['Rp1.250.000', '1250000.00', 'IDR'],
    ['Rs 2,500', '2500.00', null],
    ['S/ 89.90', '89.90', 'PEN'],
    ['$1,200 CAD', '1200.00', 'CAD'],
    ['100 $ AUD', '100.00', 'AUD'],
    ['kr 1.289,50', '1289.50', null],
    ['1.250 kr', '1250.00', null],
    ['kr. 500', '500.00', null],
    ['£250.000', '250000.00', 'GBP'],
    ['$1.250', '1.250', 'USD'],
    ['250-dollar', '250.00', 'USD'],
    ['0,289 €', '0.289', 'EUR'],
    ['$0,125', '0.125', 'USD'],
    ['$2tn', '2000000000000.00', 'USD'],
    ['kr 5 mill', '5000000.00', null],
    ['₹2.5 crore', '25000000.00', 'INR'],
    ['₹5 lakh', '500000.00', 'INR'],
    ['₹1.5 lakh crore', '1500000000000.00', 'INR'],
    ['5 mil. Kč', '5000000.00', 'CZK'],
    ['€3 miljoen', '3000000.00', 'EUR'],
    ['SEK 3 miljarder', '3000000000.00', 'SEK'],
    ['R$ 3 bilhões', '3000000000.00', 'BRL'],
    ['5 mln zł', '5000000.00', 'PLN'],
    ['₽5 млрд', '5000000000.00', 'RUB'],
    ['5 тыс. руб.', '5000.00', 'RUB'],
    ['€5 Tsd.', '5000.00', 'EUR'],
    ['€3 mil millones', '3000000000.00', 'EUR'],
  ])('reads %j', (written, amount, currency) => {
    const text = `They paid ${written} for it.`;
    const start = text.indexOf(written);
    expect(amountsIn(text)).toEqual([
      { text: written, start, end: start + written.length, amount, currency },
    ]);
  });

  it.each([
    ['name,amount,city\nAcme,EUR 80.50,Paris\nBlue,EUR 99,3 rue', ['80.50', '99.00']],
    ['count,price,due\n2,80.50 EUR,2027-04-15\n1,100 EUR,2027-04-16', ['80.50', '100.00']],
    ['name,price\nAcme,"1,250.00 EUR"\nBlue,$5', ['1250.00', '5.00']],
    ['Acme,80.50 EUR,2027-04-15', ['80.50']],
    ['Acme,EUR 80,2027-04-15', ['80.00']],
    ['Acme,$1,250.00,Paris', ['1250.00']],
    ['Rent, deposit\nRent, 1,000 EUR\nDeposit, 2,000 EUR', ['1000.00', '2000.00']],
    ['Dear Sir,\nyou owe us 1,000 EUR.', ['1000.00']],
    ['2,80.50 EUR', []],
  ])('takes a comma between cells for no part of a number: %j', (text, amounts) => {
    const found = amountsIn(text);
    expect(found.map(({ amount }) => amount)).toEqual(amounts);
    expect(found.every((place) => place.text === text.slice(place.start, place.end))).toBe(true);
  });

  it.each([
    ['Stuhl 6 245,50 kg 245,50 € 1.473,00 €', ['245,50 €', '1.473,00 €']],
    ['1      1.890,00 €   1.890,00 €', ['1.890,00 €', '1.890,00 €']],
    ['100,00 EUR 200,00 EUR 300,00 EUR', ['100,00 EUR', '200,00 EUR', '300,00 EUR']],
    ['Miete 950 EUR   2 Personen', ['950 EUR']],
    ['12 EUR 185.00 EUR 2,220.00', ['EUR 185.00', 'EUR 2,220.00']],
    ['12 $185.00 $2,220.00', ['$185.00', '$2,220.00']],
    ['USD 100 EUR 200', ['USD 100', 'EUR 200']],
  ])('gives each currency to one number: %j', (text, amounts) => {
    expect(amountsIn(text).map((amount) => amount.text)).toEqual(amounts);
  });

  it('takes no other word behind an English amount for a scale', () => {
    const text = 'He paid $40 Mill Street rent, a levy of $20 mill, a fee of $5 tis said, and $300 TN costs.';
    expect(amountsIn(text).map(({ amount }) => amount)).toEqual(['40.00', '20.00', '5.00', '300.00']);
    const ranges = '$40–50 Mill Road, $5 to $20 mill per property, NOK 12 and $40 Mill Lane, kr 40–50 mill';
    expect(amountsIn(ranges).map(({ amount }) => amount)).toEqual(
      ['40', '5', '20', '12', '40', '40000000'].map((whole) => `${whole}.00`),
    );
  });

  it.each([
    ['票价300元，共1.2亿元；家賃は月8万円です。', 'CNY 300.00, CNY 120000000.00, JPY 80000.00'],
    ['약 12,000원입니다. 가격이 5000원인 价格为¥3,200。', 'KRW 12000.00, KRW 5000.00, JPY 3200.00'],
    ['1億2000万円と3万5000円、共计5万3000元', 'JPY 120000000.00, JPY 35000.00, CNY 53000.00'],
    ['1억 2,000만원, 3만 5,000원, ¥1億5000万', 'KRW 120000000.00, KRW 35000.00, JPY 150000000.00'],
    ['售价1,200元100个，原价300元500元', 'CNY 1200.00, CNY 300.00, CNY 500.00'],
    ['8000元-1万元 USD 300元 3月1000日元', 'CNY 8000.00, CNY 10000.00, USD 300.00, JPY 1000.00'],
    ['2千300元 1千200万円 ¥5千万 5천 300원', ''],
    ['1月1日元旦放假三天 5月1日元町 今日は2日元気 第3元素 3元素 5元组 10元帅 4円周', ''],
    ['제3원칙에 따라 3원색 제3원인 회원 100명 公元2000年', ''],
  ])('reads amounts among words that are written without spaces, and no words: %s', (text, amounts) => {
    const found = amountsIn(text).map(({ amount, currency }) => `${currency} ${amount}`);
    expect(found.join(', ')).toBe(amounts);
  });

  it('takes the scale of a range for both of its ends', () => {
    expect(amountsIn('It costs $10–20 million.').map(({ amount }) => amount)).toEqual(['10000000.00']);
    expect(amountsIn('It costs $10 to $20 million.').map(({ amount }) => amount)).toEqual([
      '10000000.00',
      '20000000.00',
    ]);
  });

  it.each([
    ['The order came to €5 mill, in a market of $2 tn by 2030.', ['5000000.00 EUR', '2000000000000.00 USD']],
    ['at €40 Mill Street, and the $3 tn company', ['40.00 EUR', '3.00 USD']],
    ['الإجمالي: ٢٬٥٠٠٫٥٠ ر.س', ['2500.50 SAR']],
    ['Tổng cộng: 2.350.000 ₫, ₦2,000', ['2350000.00 VND', '2000.00 NGN']],
    ['Genel toplam: 12.500,75 TL', ['12500.75 TRY']],
    ['NT$3,000 and 200 лв.', ['3000.00 TWD', '200.00 BGN']],
    ['2 TL Salz, 1,5 TL Zucker', []],
    ['รวม 15,300 บาท', ['15300.00 THB']],
    ['350 kronor; 120 гривень; Rs. 5 lakh', ['350.00 SEK', '120.00 UAH', '500000.00 null']],
    ['10元组合，10元组', ['10.00 CNY']],
  ])('reads %s', (text, expected) => {
    expect(amountsIn(text).map(({ amount, currency }) => `${amount} ${currency}`)).toEqual(expected);
  });

  it.each(['I will try 5 times', '5 people', '1,25,3.4,5 €€', 'version 1.2', '12 all', 'A $ sign'])(
    'finds none in %j',
    (text) => {
      expect(amountsIn(text)).toEqual([]);
    },
  );

  it.each([
    ['A jegy ára 12 500 Ft volt, a bérlet 15.000 Ft.', ['12500.00', '15000.00']],
    ['A 100 Ft extension cord is in the box with the manual.', []],
    ['Nel 1995 lei si trasferì a Roma.', []],
    ['Die Schuld von RM 5.000 wurde gezahlt.', []],
    ['Room RM 12 is free.', []],
  ])('knows in which languages a currency is another word: %s', (text, amounts) => {
    expect(amountsIn(text).map(({ amount }) => amount)).toEqual(amounts);
  });
});
