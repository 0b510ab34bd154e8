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
