/** The form that writes a rules file: which of its choices apply, and what was answered. */

import type { Schemas } from "../api/client";

export type Section = Schemas["FormSection"];
export type Choice = Schemas["FormChoice"];
export type Answers = Readonly<Record<string, string>>;

/** All choices by their keys, in order. */
export function choicesOf(sections: readonly Section[]): Map<string, Choice> {
  return new Map(sections.flatMap((section) => section.choices).map((each) => [each.key, each]));
}

/** The answer to a choice: what was given, else the default. */
export function answerTo(choice: Choice, answers: Answers): string {
  return answers[choice.key] ?? choice.default;
}

/** Whether a choice has a meaning with the answers to the others. */
export function applies(
  choices: ReadonlyMap<string, Choice>,
  answers: Answers,
  choice: Choice,
): boolean {
  return choice.unless.every((bar) => {
    const other = choices.get(bar.choice)!;
    return applies(choices, answers, other) && !bar.answers.includes(answerTo(other, answers));
  });
}

/** The answers to send: those that apply and differ from the default. */
export function givenAnswers(
  sections: readonly Section[],
  answers: Answers,
): Record<string, string> {
  const choices = choicesOf(sections);
  const given: Record<string, string> = {};
  for (const choice of choices.values()) {
    const answer = answerTo(choice, answers);
    if (answer !== choice.default && applies(choices, answers, choice)) given[choice.key] = answer;
  }
  return given;
}
