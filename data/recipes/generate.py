"""Writes the sample of this directory: recipes as sets of words, each with any number of labels. Standard library only.

    python3 data/recipes/generate.py

A recipe draws its labels one after another, each with odds that depend on those before it (what is baked is often
sweet, what is quick is seldom baked), then words: some from each of its labels, some that any recipe has, and now and
then one that belongs to a label which it does not have. So labels go together, and words mislead.
"""

import pathlib
import random

TRAIN, TEST = 300, 100

LABELS = ["baked", "sweet", "spicy", "soup", "vegetarian", "breakfast", "quick"]

# How likely a label is, and what the labels before it change about that.
ODDS = {
    "baked": (0.35, {}),
    "sweet": (0.20, {"baked": 0.45}),
    "spicy": (0.35, {"sweet": -0.30, "baked": -0.10}),
    "soup": (0.25, {"baked": -0.22, "sweet": -0.20, "spicy": 0.20}),
    "vegetarian": (0.40, {"sweet": 0.30, "soup": 0.10}),
    "breakfast": (0.10, {"sweet": 0.20, "baked": 0.10, "soup": -0.08, "spicy": -0.05}),
    "quick": (0.40, {"baked": -0.30, "breakfast": 0.25}),
}

WORDS = {
    "baked": ["oven", "flour", "dough", "tin", "crust", "baker's yeast", "baking powder", "knead", "rise", "loaf"],
    "sweet": ["sugar", "honey", "chocolate", "vanilla", "cinnamon", "cream", "berries", "icing", "caramel", "jam"],
    "spicy": ["chilli", "pepper", "cumin", "ginger", "garlic", "paprika", "curry paste", "mustard seed", "coriander"],
    "soup": ["broth", "stock", "ladle", "simmer", "bowl", "lentils", "leek", "celery", "noodles", "strain"],
    "vegetarian": ["beans", "tofu", "spinach", "aubergine", "chickpeas", "mushrooms", "feta", "squash", "kale"],
    "breakfast": ["oats", "yoghurt", "toast", "eggs", "bacon", "granola", "coffee", "pancake", "banana"],
    "quick": ["pan", "microwave", "ten minutes", "toss", "stir-fry", "leftover", "wrap", "instant", "grill"],
}
COMMON = ["salt", "water", "butter", "olive oil", "onion", "milk", "chop", "mix", "serve", "season", "heat", "stir",
          "lemon", "chicken", "rice", "potatoes", "tomatoes", "fresh", "dish", "cover"]
ATTRIBUTES = COMMON + [word for label in LABELS for word in WORDS[label]]


def some(rng, words, share):
    return [word for word in words if rng.random() < share]


def recipe(rng):
    labels = []
    for label in LABELS:
        odds, changes = ODDS[label]
        if rng.random() < odds + sum(changes.get(other, 0) for other in labels):
            labels.append(label)
    words = set(some(rng, COMMON, 0.3))
    for label in LABELS:
        words.update(some(rng, WORDS[label], 0.24 if label in labels else 0.03))
    return labels, sorted(words, key=ATTRIBUTES.index)


def quoted(name):
    plain = name.replace("-", "").isalnum()
    return name if plain else "'" + name.replace("'", "\\'") + "'"


def arff(recipes):
    lines = ["% Recipes as sets of words; see data/README.md.", "@relation recipes", ""]
    lines += [f"@attribute {quoted(name)} {{0,1}}" for name in ATTRIBUTES + LABELS]
    lines += ["", "@data"]
    for labels, words in recipes:
        cells = [ATTRIBUTES.index(word) for word in words]
        cells += [len(ATTRIBUTES) + LABELS.index(label) for label in labels]
        lines.append("{" + ",".join(f"{cell} 1" for cell in sorted(cells)) + "}")
    return "\n".join(lines) + "\n"


def libsvm(recipes):
    """Indices count from 1: the attributes in their order."""
    lines = []
    for labels, words in recipes:
        pairs = " ".join(f"{ATTRIBUTES.index(word) + 1}:1" for word in words)
        lines.append((",".join(labels) + " " + pairs).strip() or "0:0")
    return "\n".join(lines) + "\n"


def xml():
    lines = ['<?xml version="1.0" encoding="utf-8"?>', '<labels xmlns="http://mulan.sourceforge.net/labels">']
    lines += [f'<label name="{label}"></label>' for label in LABELS]
    return "\n".join(lines + ["</labels>"]) + "\n"


def main():
    folder = pathlib.Path(__file__).parent
    rng = random.Random(4)
    recipes = [recipe(rng) for _ in range(TRAIN + TEST)]
    (folder / "recipes.xml").write_text(xml())
    for name, part in (("train", recipes[:TRAIN]), ("test", recipes[TRAIN:])):
        (folder / f"{name}.arff").write_text(arff(part))
        (folder / f"{name}.libsvm").write_text(libsvm(part))


if __name__ == "__main__":
    main()
