const COUNTRIES = `Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|Bahrain|Bangladesh|
  Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|
  Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Czechia|Denmark|Djibouti|Dominican Republic|Ecuador|Egypt|
  El Salvador|Eritrea|Estonia|Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Germany|Ghana|Greece|Grenada|Guatemala|Guyana|Haiti|
  Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Ivory Coast|Jamaica|Japan|Kazakhstan|Kenya|Kosovo|Kuwait|
  Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Maldives|Malta|
  Mauritania|Mauritius|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|
  Nicaragua|Niger|Nigeria|North Korea|North Macedonia|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|
  Poland|Portugal|Qatar|Romania|Russia|Rwanda|Samoa|San Marino|Saudi Arabia|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|
  Slovenia|Somalia|South Africa|South Korea|South Sudan|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tajikistan|
  Tanzania|Thailand|Tunisia|Turkmenistan|Tuvalu|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States of America|
  United States|Uruguay|Uzbekistan|Vanuatu|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe|England|Scotland|Wales|Northern Ireland|
  European Union|Hong Kong|Greenland|Puerto Rico|Deutschland|Österreich|Schweiz|Frankreich|Italien|Spanien|Niederlande`;

const REGIONS = `Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|
  Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|
  New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|
  South Dakota|Tennessee|Texas|Utah|Vermont|West Virginia|Wisconsin|Wyoming|British Columbia|Ontario|Quebec|Bavaria|Catalonia|
  Brittany|Normandy|Tuscany|New South Wales|Queensland|Bayern|Hessen|Sachsen|Europe|Africa|Asia|North America|South America|
  Latin America|Middle East`;

const CITIES = `Aberdeen|Abu Dhabi|Accra|Amsterdam|Ankara|Antwerp|Athens|Atlanta|Auckland|Baghdad|Baltimore|Bangalore|Bangkok|Barcelona|Basel|
  Beijing|Belfast|Belgrade|Bengaluru|Bergen|Berlin|Bern|Bilbao|Birmingham|Bogotá|Bologna|Bonn|Bordeaux|Boston|Bratislava|Bremen|
  Brisbane|Brooklyn|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Calgary|Cambridge|Canberra|Cape Town|Cardiff|Chicago|Cleveland|
  Cologne|Copenhagen|Delhi|Denver|Detroit|Dhaka|Doha|Dortmund|Dresden|Dubai|Dublin|Düsseldorf|Edinburgh|Eindhoven|Essen|Frankfurt am Main|
  Frankfurt|Geneva|Genoa|Ghent|Glasgow|Gothenburg|Graz|Guangzhou|Hamburg|Hanoi|Hanover|Heidelberg|Helsinki|Ho Chi Minh City|Istanbul|
  Jakarta|Jerusalem|Johannesburg|Karachi|Kiel|Köln|Kolkata|Krakow|Kraków|Kuala Lumpur|Kyiv|Kyoto|Lagos|Lahore|Las Vegas|Lausanne|
  Leeds|Leipzig|Lima|Lisbon|Liverpool|Ljubljana|London|Los Angeles|Lucerne|Lyon|Madrid|Malmö|Manchester|Manila|Mannheim|Marseille|
  Melbourne|Mexico City|Miami|Milan|Minneapolis|Minsk|Montevideo|Montreal|Moscow|Mumbai|Munich|München|Münster|Nairobi|Naples|New Delhi|
  New Orleans|New York City|Nuremberg|Nürnberg|Oakland|Osaka|Oslo|Ottawa|Oxford|Palermo|Paris|Perth|Philadelphia|Pittsburgh|Portland|
  Porto|Potsdam|Prague|Pretoria|Quito|Reykjavik|Riga|Rio de Janeiro|Riyadh|Rome|Rotterdam|Sacramento|Salt Lake City|Salzburg|
  San Antonio|San Diego|San Francisco|San José|San Jose|Santiago|São Paulo|Sarajevo|Seattle|Seoul|Seville|Shanghai|Sheffield|Shenzhen|
  Sofia|Stockholm|St. Louis|Strasbourg|Stuttgart|Sydney|Taipei|Tallinn|Tampa|Tehran|Tel Aviv|The Hague|Tokyo|Toronto|Toulouse|
  Turin|Utrecht|Valencia|Vancouver|Venice|Verona|Vienna|Vilnius|Warsaw|Washington, D.C.|Washington, DC|Wellington|Wien|Winnipeg|Wuhan|Yokohama|Zagreb|Zaragoza|
  Zurich|Zürich`;

/** Names that persons, months, things and companies have too: they are places only after a word such as "in". */
const AMBIGUOUS = `Austin|Bath|Bristol|Buffalo|Carolina|Chad|Charlotte|Cork|Dallas|Dominica|Essen|Florence|Georgia|
  Guinea|Houston|Jackson|Jordan|Lincoln|Madison|Mali|Mobile|Nancy|Nice|Orlando|Phoenix|Reading|Split|
  Sofia|Togo|Turkey|Verona|Victoria|Virginia|Washington|Wellington|Valencia|Santiago|Lima|Niger|
  Monaco|Savannah|Tours|Kent|Essex|Sussex|Devon|Cornwall|Cleveland|Memphis|Como|Jersey|Guernsey`;

const names = (list: string) => list.split('|').map((name) => name.trim());

export const AMBIGUOUS_PLACES: ReadonlySet<string> = new Set(names(AMBIGUOUS));
/** Names of countries, states and large cities, in English and partly as the place itself says. */
export const PLACES: readonly string[] = [
  ...new Set([...names(COUNTRIES), ...names(REGIONS), ...names(CITIES), ...AMBIGUOUS_PLACES]),
];
