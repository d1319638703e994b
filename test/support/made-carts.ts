// Files as carts and wearables write them, made by writers of our own.

export type Leads = Readonly<Record<string, readonly number[]>>;

const base64 = (samples: readonly number[]): string =>
  Buffer.from(Int16Array.from(samples).buffer).toString('base64');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Samples in steps of 4.88 µV. */
export function madeMuse(leads: Leads, person = '', waveformType = 'Rhythm'): Uint8Array {
  const data = Object.entries(leads).map(
    ([label, samples]) =>
      `<LeadData><LeadByteCountTotal>${2 * samples.length}</LeadByteCountTotal><LeadAmplitudeUnitsPerBit>4.88</LeadAmplitudeUnitsPerBit><LeadAmplitudeUnits>MICROVOLTS</LeadAmplitudeUnits><LeadID>${label}</LeadID><LeadSampleSize>2</LeadSampleSize><WaveFormData>\n${base64(samples)}\n</WaveFormData></LeadData>`,
  );
  return bytes(
    `<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE RestingECG SYSTEM "restecg.dtd">\n<RestingECG><PatientDemographics>${person}</PatientDemographics><TestDemographics><AcquisitionTime>14:20:05</AcquisitionTime><AcquisitionDate>03-01-2024</AcquisitionDate></TestDemographics><OriginalDiagnosis><DiagnosisStatement><StmtFlag>ENDSLINE</StmtFlag><StmtText>Sinus rhythm</StmtText></DiagnosisStatement></OriginalDiagnosis><Diagnosis><DiagnosisStatement><StmtText>Cannot rule out</StmtText></DiagnosisStatement><DiagnosisStatement><StmtFlag>ENDSLINE</StmtFlag><StmtText>anterior infarct, age undetermined</StmtText></DiagnosisStatement><DiagnosisStatement><StmtFlag>ENDSLINE</StmtFlag><StmtText>Abnormal ECG</StmtText></DiagnosisStatement></Diagnosis><Waveform><WaveformType>${waveformType}</WaveformType><SampleBase>500</SampleBase>${data.join('')}</Waveform></RestingECG>`,
  );
}

/** Ten bits a code, the highest first. */
function packLzw(plain: Uint8Array): Uint8Array {
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) table.set(String.fromCharCode(byte), byte);
  const codes: number[] = [];
  let current = '';
  for (const byte of plain) {
    const longer = current + String.fromCharCode(byte);
    if (table.has(longer)) {
      current = longer;
      continue;
    }
    codes.push(table.get(current) as number);
    if (table.size < 1023) table.set(longer, table.size);
    current = String.fromCharCode(byte);
  }
  if (current !== '') codes.push(table.get(current) as number);
  const bits = codes.map((code) => code.toString(2).padStart(10, '0')).join('');
  const whole = bits.padEnd(8 * Math.ceil(bits.length / 8), '1');
  return Uint8Array.from({ length: whole.length / 8 }, (_, i) =>
    Number.parseInt(whole.slice(8 * i, 8 * i + 8), 2),
  );
}

/** One lead as XLI has it. */
function packXli(samples: readonly number[]): Uint8Array {
  const words = samples.map((value, i) => {
    if (i < 2) return value;
    // What is stored at a place counts for the next one.
    const next = samples[i + 1];
    return next === undefined ? 64 : 2 * value - (samples[i - 1] as number) - next + 64;
  });
  const third =
    samples.length > 2 ? 2 * (samples[1] as number) - (samples[0] as number) - (samples[2] as number) : 0;
  const packed = packLzw(
    Uint8Array.from([...words.map((word) => (word >> 8) & 0xff), ...words.map((word) => word & 0xff)]),
  );
  const head = Buffer.alloc(8);
  head.writeInt32LE(packed.length, 0);
  head.writeInt16LE(third, 6);
  return Buffer.concat([head, packed]);
}

/** Twelve leads in steps of 5 µV; the limb leads as what is left of them. */
export function madePhilips(leads: Leads, isCompressed: boolean): Uint8Array {
  const of = (label: string): readonly number[] => leads[label] ?? [];
  const [one, two, three] = [of('I'), of('II'), of('III')];
  const rest: Readonly<Record<string, (value: number, i: number) => number>> = {
    III: (value, i) => (two[i] as number) - (one[i] as number) - value,
    aVR: (value, i) => -value - Math.floor(((one[i] as number) + (two[i] as number)) / 2),
    aVL: (value, i) => Math.floor(((one[i] as number) - (three[i] as number)) / 2) - value,
    aVF: (value, i) => Math.floor(((two[i] as number) + (three[i] as number)) / 2) - value,
  };
  const stored = Object.entries(leads).map(([label, samples]) =>
    packXli(samples.map(rest[label] ?? ((value) => value))),
  );
  const data = isCompressed ? Buffer.concat(stored).toString('base64') : base64(Object.values(leads).flat());
  const labels = Object.keys(leads);
  return bytes(
    `<?xml version="1.0" encoding="UTF-8"?><restingecgdata xmlns="http://www3.medical.philips.com"><dataacquisition date="2024-03-01" time="14:20:05"><machine machineid="M1">Cart</machine></dataacquisition><patient><generalpatientdata><patientid>7</patientid><name><lastname>Berg</lastname><firstname>---</firstname></name><age><dateofbirth>1951-05-02</dateofbirth></age><sex>Female</sex></generalpatientdata></patient><interpretations><interpretation><statementcomponents><codedstatement deleted="True"><unparsedstatement><lhsstatement>Taken out</lhsstatement></unparsedstatement></codedstatement><codedstatement deleted="False"><unparsedstatement><lhsstatement>Sinus rhythm</lhsstatement></unparsedstatement></codedstatement></statementcomponents></interpretation></interpretations><waveforms><parsedwaveforms dataencoding="Base64" compression="${isCompressed ? 'XLI' : 'Uncompressed'}" numberofleads="${labels.length}" leadlabels="${labels.join(' ')}" durationperchannel="${2 * one.length}" samplespersecond="500" resolution="5">${data}</parsedwaveforms></waveforms></restingecgdata>`,
  );
}

/** Samples in steps of 2.5 µV. */
export function madeMortara(leads: Leads): Uint8Array {
  const channels = Object.entries(leads).map(
    ([label, samples]) =>
      `<CHANNEL OFFSET="0" BITS="16" FORMAT="SIGNED" UNITS_PER_MV="400" DURATION="${samples.length}" SAMPLE_FREQ="1000" ENCODING="BASE64" NAME="${label}" DATA="${base64(samples)}"/>`,
  );
  return bytes(
    `<?xml version="1.0"?><ECG ACQUISITION_TIME="20240301142005" ACQUISITION_TIME_XML="2024-03-01T14:20:05"><SOURCE TYPE="ELI" ID="E5"/><SUBJECT LAST_NAME="Berg" FIRST_NAME="Ada" ID="7" GENDER="Female" DOB="19510502"/><AUTOMATIC_INTERPRETATION><STATEMENT TEXT="Sinus rhythm"/></AUTOMATIC_INTERPRETATION>${channels.join('')}</ECG>`,
  );
}

/** Blocks with the sums of their bytes. */
export function madeAlivecor(leads: readonly (readonly number[])[], hz = 300): Uint8Array {
  const block = (name: string, data: Uint8Array): Buffer => {
    const head = Buffer.from(`${name.padEnd(4)}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(data.length, 4);
    const whole = Buffer.concat([head, data]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(whole.reduce((total, byte) => (total + byte) >>> 0, 0));
    return Buffer.concat([whole, sum]);
  };
  const info = Buffer.alloc(268);
  info.write('2024-03-01T14:20:05.000+01:00');
  const format = Buffer.alloc(8);
  format.writeUInt8(1, 0);
  format.writeUInt16LE(hz, 1);
  format.writeUInt16LE(500, 3);
  return Buffer.concat([
    Buffer.from('ALIVE\0\0\0\x03\0\0\0', 'latin1'),
    block('info', info),
    block('fmt', format),
    ...leads.map((samples, i) =>
      block(i === 0 ? 'ecg' : `ecg${i + 1}`, Buffer.from(Int16Array.from(samples).buffer)),
    ),
  ]);
}

/** Samples in steps of 5 µV. */
export function madeCardiosoft(leads: Leads, strip = 'StripData', units = 'uVperLsb'): Uint8Array {
  const data = Object.entries(leads).map(
    ([label, samples]) => `<WaveformData lead="${label}">\n\t\t${samples.join(',\n\t\t')}\n</WaveformData>`,
  );
  const [first = []] = Object.values(leads);
  return bytes(
    `<?xml version="1.0" encoding="ISO-8859-1"?><CardiologyXML><ObservationType>RestECG</ObservationType><ObservationDateTime><Hour>14</Hour><Minute>20</Minute><Second>5</Second><Day>1</Day><Month>3</Month><Year>2024</Year></ObservationDateTime><PatientInfo><PID>7</PID><Name><FamilyName>Berg</FamilyName><GivenName>Ada</GivenName></Name><Age units="years">72</Age><BirthDateTime><Day>2</Day><Month>5</Month><Year>1951</Year></BirthDateTime><Gender>FEMALE</Gender><Height units="cm">164</Height></PatientInfo><Interpretation><Diagnosis><DiagnosisText>Sinus rhythm</DiagnosisText><DiagnosisText>Normal ECG</DiagnosisText></Diagnosis><Conclusion><ConclusionText>No change</ConclusionText></Conclusion></Interpretation><${strip}><NumberOfLeads>${Object.keys(leads).length}</NumberOfLeads><SampleRate units="Hz">500</SampleRate><ChannelSampleCountTotal>${first.length}</ChannelSampleCountTotal><Resolution units="${units}">5</Resolution>${data.join('')}</${strip}></CardiologyXML>`,
  );
}

/** Samples in steps of 1.25 µV. */
export function madeSchiller(leads: Leads, type = 'ECG_RHYTHMS'): Uint8Array {
  const channel = ([label, samples]: readonly [string, readonly number[]]): string =>
    `<channel><name>${label}</name><datastype>COMMASEPARATE</datastype><data>${samples.join(',')},</data></channel>`;
  const wave = (kind: string, channels: string): string =>
    `<wavedata><type>${kind}</type><resolution><samplerate><value>1000</value><units>HZ</units></samplerate><yres><value>1.25</value><units>UV</units></yres></resolution>${channels}</wavedata>`;
  return bytes(
    `<?xml version="1.0" encoding="UTF-8"?><com.xiriuz.sema.xml.schillerEDI.SchillerEDI><patdata><id>7</id><lastname>Berg</lastname><firstname>Ada</firstname><birthdate>19510502</birthdate><gender>FEMALE</gender></patdata><examdescript><startdatetime><date>20240301</date><time>142005</time></startdatetime></examdescript><eventdata><event>${wave('ECG_AVERAGES', channel(['I', [0, 1, 2]]))}${wave(type, Object.entries(leads).map(channel).join(''))}</event></eventdata></com.xiriuz.sema.xml.schillerEDI.SchillerEDI>`,
  );
}
