"""Writes train.txt, dev.txt and test.txt of this folder: made-up outings as factor graphs, the same every time.

An outing has three to five days. Each has weather, which stays as it is more often than not and which a barometer and a
forecast only hint at, and a plan, which goes with the weather and with what somebody wishes. Exactly one day is spent at
the market. Four things may be taken along, two at most, each because of the weather or of a plan: nobody says which,
so that what is in the bag tells of the days, and the days of the bag.
"""

import pathlib
import random

OUTINGS = {"train": 60, "dev": 20, "test": 20}
WEATHER = ("rain", "sun", "fog")
PLANS = ("hike", "swim", "museum", "market")
SUITS = {"rain": (0.1, 0.02, 0.88), "sun": (0.3, 0.67, 0.03), "fog": (0.85, 0.05, 0.1)}  # hike, swim, museum
PRESSURE = {"rain": -1.0, "sun": 1.0, "fog": 0.1}
# A thing, and what it is good for.
THINGS = {
    "umbrella": [("weather", "rain")],
    "towel": [("plan", "swim")],
    "boots": [("plan", "hike"), ("weather", "rain")],
    "lamp": [("weather", "fog")],
}


def draw(dice, names, odds):
    return dice.choices(names, odds)[0]


def outing(dice):
    days = range(dice.randint(3, 5))
    weather, plans = [], []
    for day in days:
        same = day > 0 and dice.random() < 0.75
        weather.append(weather[-1] if same else draw(dice, WEATHER, (0.35, 0.4, 0.25)))
    stalls = [dice.gauss(0, 1) for _ in days]  # how large the market is
    market = max(days, key=lambda day: stalls[day] + dice.gauss(0, 0.25))
    for day in days:
        plans.append("market" if day == market else draw(dice, PLANS[:3], SUITS[weather[day]]))
    truth = {"weather": weather, "plan": plans}
    use = {thing: dice.gauss(-0.8, 0.15) for thing in THINGS}
    for thing, reasons in THINGS.items():
        for what, value in reasons:
            use[thing] += 0.8 * truth[what].count(value)
    bag = sorted((thing for thing in THINGS if use[thing] > 0), key=lambda thing: -use[thing])[:2]

    lines = []
    for day in days:
        hint = f"barometer:{PRESSURE[weather[day]] + dice.gauss(0, 0.7):.2f}"
        forecast = weather[day] if dice.random() < 0.5 else draw(dice, WEATHER, (1, 1, 1))
        lines.append(f"var w{day + 1} weather ={weather[day]} {hint} says-{forecast}")
        wish = plans[day] if dice.random() < 0.4 and plans[day] != "market" else draw(dice, PLANS[:3], (1, 1, 1))
        lines.append(f"var p{day + 1} plan ={plans[day]} wish-{wish} stalls:{stalls[day]:.2f}")
    for thing in THINGS:
        lines.append(f"var {thing} thing ={'on' if thing in bag else 'off'} {thing}")
    lines.append("sequence days " + " ".join(f"w{day + 1}" for day in days))
    for day in days:
        lines.append(f"table suits w{day + 1} p{day + 1}")
        for thing, reasons in THINGS.items():
            for what, value in reasons:
                lines.append(f"pair {thing}-{value} {what[0]}{day + 1}={value} {thing}")
    lines.append("one-of " + " ".join(f"p{day + 1}=market" for day in days))
    lines.append("budget 2 " + " ".join(THINGS))
    return "\n".join(lines) + "\n"


def main():
    dice = random.Random(13)
    head = f"domain weather {' '.join(WEATHER)}\ndomain plan {' '.join(PLANS)}\ndomain thing switch\n\n"
    for part, count in OUTINGS.items():
        text = head + "\n".join(outing(dice) for _ in range(count))
        pathlib.Path(__file__).with_name(f"{part}.txt").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
