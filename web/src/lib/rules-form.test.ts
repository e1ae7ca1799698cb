import { expect, it } from "vitest";
import { applies, answerTo, choicesOf, givenAnswers, type Choice } from "./rules-form";

function choice(key: string, more: Partial<Choice>): Choice {
  const none = { options: [], least: 0, most: 0, unless: [] };
  return { key, label: key, help: "", kind: "option", default: "", ...none, ...more };
}

const stock = choice("stock", { default: "none" });
const redeals = choice("redeals", {
  default: "0",
  unless: [{ choice: "stock", answers: ["none", "occupied"] }],
});
const shuffle = choice("shuffle", {
  default: "no",
  unless: [{ choice: "redeals", answers: ["0"] }],
});
const sections = [{ key: "stock", label: "Stock", choices: [stock, redeals, shuffle] }];
const choices = choicesOf(sections);

it("takes the default for what is not answered", () => {
  expect(answerTo(stock, {})).toBe("none");
  expect(answerTo(stock, { stock: "waste" })).toBe("waste");
});

it("asks only for what has a meaning", () => {
  expect(applies(choices, {}, stock)).toBe(true);
  expect(applies(choices, {}, redeals)).toBe(false);
  expect(applies(choices, { stock: "waste" }, redeals)).toBe(true);
  expect(applies(choices, { stock: "waste" }, shuffle)).toBe(false);
  expect(applies(choices, { stock: "waste", redeals: "2" }, shuffle)).toBe(true);
  // A choice that is not asked leaves those without a meaning that depend on it.
  expect(applies(choices, { stock: "occupied", redeals: "2" }, shuffle)).toBe(false);
});

it("sends what differs from the defaults and applies", () => {
  const answers = { stock: "occupied", redeals: "2", shuffle: "yes" };
  expect(givenAnswers(sections, answers)).toEqual({ stock: "occupied" });
  expect(givenAnswers(sections, { ...answers, stock: "waste" })).toEqual({
    stock: "waste",
    redeals: "2",
    shuffle: "yes",
  });
  expect(givenAnswers(sections, { stock: "none" })).toEqual({});
});
