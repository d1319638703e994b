// Makes a connection known: the form is made of the fields of its kind. What we are called stands above it, because whoever runs
// the other side asks for that.

import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldSchema } from '../../../shared/connections/connection-field.ts';
import {
  CONNECTIONS,
  type ConnectionKind,
  type ConnectionTo,
  checkConnection,
  fieldsOf,
} from '../../../shared/connections/connections.ts';
import { WRONG_FIELDS, type WrongField } from '../../../shared/connections/wrong-field.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { kindWords } from './connection-words.ts';
import { FormText } from './form-text.tsx';
import classes from './sync.module.css';

const OWN_ORGANIZATION = 'clinic';
const MOST_SECRET = 4096;
const MOST_LABEL = 100;
const MOST_NUMBER_CHARACTERS = 5;

type Typed = Readonly<Record<string, string | boolean>>;

const typeOf = (schema: FieldSchema): string | undefined => (schema as { readonly type?: string }).type;
/** What a person is asked: certificates come from files, at the command line. */
const askedOf = (kind: ConnectionKind) => fieldsOf(kind).filter(([, { form }]) => form.isFile !== true);

function beforehand(kind: ConnectionKind): Typed {
  return Object.fromEntries(
    askedOf(kind).map(([name, schema]) => [
      name,
      typeOf(schema) === 'boolean' || schema.form.isSwitched === true ? false : (schema.form.usual ?? ''),
    ]),
  );
}

function configOf(kind: ConnectionKind, typed: Typed): ConnectionTo {
  const values = askedOf(kind).map(([name, schema]) => {
    const value = typed[name] ?? '';
    if (typeOf(schema) === 'boolean') return [name, value === true] as const;
    const text = typeof value === 'string' ? value.trim() : '';
    return [name, typeOf(schema) === 'integer' ? Number(text) : text] as const;
  });
  return { kind, config: Object.fromEntries(values) } as ConnectionTo;
}

interface FieldProps {
  readonly kind: ConnectionKind;
  readonly name: string;
  readonly schema: FieldSchema;
  readonly typed: Typed;
  onType(name: string, value: string | boolean): void;
}

function Field({ kind, name, schema, typed, onType }: FieldProps): ReactNode {
  const { t } = useTranslation();
  const { isRequired, onlyWith, isSwitched, hasHint, usual } = schema.form;
  const value = typed[name] ?? '';
  if (onlyWith !== undefined && typed[onlyWith] === '') return null;
  const box = (label: string, checked: boolean, onChange: (isOn: boolean) => void): ReactNode => (
    <Checkbox
      size="md"
      label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
  if (typeOf(schema) === 'boolean')
    return box(kindWords(t, kind, `field.${name}`), value === true, (isOn) => onType(name, isOn));
  const isNumber = typeOf(schema) === 'integer';
  const line = (
    <FormText
      label={kindWords(t, kind, `field.${name}`)}
      {...(hasHint === true && { hint: kindWords(t, kind, `hint.${name}`) })}
      value={typeof value === 'string' ? value : ''}
      most={isNumber ? MOST_NUMBER_CHARACTERS : ((schema as { maxLength?: number }).maxLength ?? 0)}
      isRequired={isRequired === true || isSwitched === true}
      isNumber={isNumber}
      onType={(text) => onType(name, text)}
    />
  );
  if (isSwitched !== true) return line;
  return (
    <>
      {box(kindWords(t, kind, `switch.${name}`), value !== false, (isOn) =>
        onType(name, isOn ? (usual ?? '') : false),
      )}
      {value !== false && line}
    </>
  );
}

/** What is wrong with what was typed, before anybody is asked; undefined where nothing is. */
function wrongField(to: ConnectionTo, secret: string): WrongField | undefined {
  try {
    checkConnection(to, secret);
    return undefined;
  } catch (error) {
    const field = error instanceof IsolineError ? error.detail.field : undefined;
    return WRONG_FIELDS.find((each) => each === field);
  }
}

/** What we are called, as whoever runs the other side enters it there; kinds that need no such thing say nothing. */
function Ours({ kind }: { kind: ConnectionKind }): ReactNode {
  const { t, i18n } = useTranslation();
  const { data } = useBridgeQuery('setting.list', {});
  const ours = data?.values ?? {};
  const words = `connection.${kind}.ours`;
  if (!i18n.exists(words)) return null;
  const names = {
    title: ours['dicom.title'] ?? '',
    port: ours['dicom.port'] ?? '',
    application: ours['hl7.application'] ?? '',
  };
  return <p>{t(words, names)}</p>;
}

interface ConnectionFormProps {
  readonly kind: ConnectionKind;
  onAdded(): void;
}

export function ConnectionForm({ kind, onAdded }: ConnectionFormProps): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('connection.add');
  const queries = useQueryClient();
  const [typed, setTyped] = useState(() => beforehand(kind));
  const [secret, setSecret] = useState('');
  const [label, setLabel] = useState('');
  const [wrong, setWrong] = useState<WrongField | undefined>();
  const facts = CONNECTIONS[kind];
  const form = 'secret' in facts ? facts.secret : undefined;
  const isSecretAsked = form !== undefined && (form.onlyWith === undefined || typed[form.onlyWith] !== '');
  const password = (
    <PasswordInput
      size="md"
      required
      autoComplete="off"
      label={kindWords(t, kind, 'secret')}
      value={secret}
      maxLength={MOST_SECRET}
      onChange={(event) => setSecret(event.currentTarget.value)}
    />
  );
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const to = configOf(kind, typed);
    const field = wrongField(to, isSecretAsked ? secret : '');
    setWrong(field);
    if (field !== undefined) return;
    const added = await run({
      to,
      label,
      organization: OWN_ORGANIZATION,
      ...(isSecretAsked && { secret }),
    });
    if (added === undefined) return;
    await queries.invalidateQueries({ queryKey: ['sync.overview'] });
    onAdded();
  };
  return (
    <form className={classes.connect} onSubmit={(event) => void submit(event)}>
      <Ours kind={kind} />
      {askedOf(kind).map(([name, schema]) => (
        <Fragment key={name}>
          <Field
            kind={kind}
            name={name}
            schema={schema}
            typed={typed}
            onType={(field, value) => setTyped({ ...typed, [field]: value })}
          />
          {form?.onlyWith === name && isSecretAsked && password}
        </Fragment>
      ))}
      {form?.onlyWith === undefined && isSecretAsked && password}
      <FormText
        label={kindWords(t, kind, 'field.label')}
        hint={kindWords(t, kind, 'hint.label')}
        value={label}
        most={MOST_LABEL}
        onType={setLabel}
      />
      {wrong !== undefined && <p role="alert">{t(`connection.wrong.${wrong}`)}</p>}
      {wrong === undefined && trouble !== undefined && <p role="alert">{trouble}</p>}
      <Button type="submit" h={48} loading={isRunning}>
        {kindWords(t, kind, 'connect')}
      </Button>
    </form>
  );
}
