/** Sentences and questions that the page begins with, in each language. */

/** A sentence of each language, for hearing a voice. */
export const SAMPLES = {
  en: 'Good morning. The train leaves at half past seven.',
  de: 'Guten Morgen. Der Zug fährt um halb acht ab.',
  fr: 'Bonjour. Le train part à sept heures et demie.',
  es: 'Buenos días. El tren sale a las siete y media.',
  it: 'Buongiorno. Il treno parte alle sette e mezza.',
  pt: 'Bom dia. O trem parte às sete e meia.',
  ru: 'Доброе утро. Поезд отправляется в половине восьмого.',
  ja: 'おはようございます。電車は七時半に出ます。',
  ko: '안녕하세요. 기차는 일곱 시 반에 출발합니다.',
  zh: '早上好。火车七点半开。',
  hi: 'सुप्रभात। गाड़ी साढ़े सात बजे छूटती है।',
  ar: 'صباح الخير. يغادر القطار في السابعة والنصف.',
};

/** Questions of each language that are computed, with or without a language model. */
export const QUESTIONS = {
  en: ['How many feet are in 3 miles?', 'What is 17.5 % of 240?', 'What day of the week is 1 January 2030?'],
  de: ['Wie viele Kilometer sind 3 Meilen?', 'Was sind 17,5 % von 240?', 'Welcher Wochentag ist der 1. Januar 2030?'],
  fr: ['Combien de kilomètres font 3 miles ?', 'Combien font 17,5 % de 240 ?', 'Quel jour de la semaine est le 14 juillet 2030 ?'],
  es: ['¿Cuántos kilómetros son 3 millas?', '¿Cuánto es el 17,5 % de 240?', '¿Qué día de la semana es el 1 de enero de 2030?'],
  it: ['Quanti chilometri sono 3 miglia?', 'Quanto fa il 17,5 % di 240?', 'Che giorno della settimana è il 1 gennaio 2030?'],
  pt: ['Quantos quilómetros são 3 milhas?', 'Quanto é 17,5 % de 240?', 'Que dia da semana é 1 de janeiro de 2030?'],
  ru: ['Сколько километров в 3 милях?', 'Сколько будет 17,5 % от 240?', 'Какой день недели 1 января 2030 года?'],
  ja: ['3マイルは何キロメートルですか？', '(12.5 + 7.5) × 48 はいくつですか？', '2030年1月1日は何曜日ですか？'],
  ko: ['3마일은 몇 킬로미터입니까?', '(12.5 + 7.5) × 48은 얼마입니까?', '2030년 1월 1일은 무슨 요일입니까?'],
  zh: ['3英里是多少公里？', '(12.5 + 7.5) × 48 等于多少？', '2030年1月1日是星期几？'],
  hi: ['3 मील में कितने किलोमीटर होते हैं?', '(12.5 + 7.5) × 48 कितना है?', '1 जनवरी 2030 को कौन सा दिन है?'],
  ar: ['كم كيلومترا في 3 أميال؟', 'كم يساوي 17.5 % من 240؟', 'كم يساوي (12.5 + 7.5) × 48؟'],
};
