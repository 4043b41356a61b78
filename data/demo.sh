# What `./dev demo` shows, on the samples of this folder: every task is trained, evaluated and used. Read by ./dev, which has
# step (a headline) and show (prints a command and runs it).

demo_sentences() { # a word per line, a blank line after each sentence
  local sentence
  while IFS= read -r sentence; do
    printf '%s\n\n' "${sentence// /$'\n'}"
  done <<'END'
Please book me on the earliest Lufthansa flight from Kraków to Lisbon next Tuesday .
Does Maria land in Split before half past nine ?
We would like a double room at the Grand Hotel in Zürich for under £ 180 .
END
}

step "Entities in travel requests: training on 600 sentences, watching 72 others"
show './dev run tag train data/travel/train.txt --dev data/travel/dev.txt --template data/travel/travel.template --model build/demo/travel.trellis'
step "How good is it on 120 sentences that it has not seen? The report has pictures"
show './dev run tag evaluate data/travel/test.txt --model build/demo/travel.trellis --report build/demo/report.html'
step "New text has no parts of speech, so a second tagger learns those from the first two columns"
show "cut -d ' ' -f 1-2 data/travel/train.txt | ./dev run tag train - --template pos --model build/demo/pos.trellis"
demo_sentences >"$build/demo/sentences.txt"
show './dev run tag predict build/demo/sentences.txt --model build/demo/pos.trellis --output build/demo/sentences.pos.txt'
step "And the entities, with probabilities"
show './dev run tag predict build/demo/sentences.pos.txt --model build/demo/travel.trellis --marginals'
step "The topic of short texts: an SVM, trained to a proven gap"
show './dev run classify train data/topics/train.tsv --gap 0.001 --model build/demo/topics.trellis'
show './dev run classify evaluate data/topics/test.tsv --model build/demo/topics.trellis'
step "Sets of labels: trained for macro-F1, C and thresholds by cross-validation"
show './dev run label train data/recipes/train.arff --labels data/recipes/recipes.xml --measure macro-f1 --model build/demo/recipes.trellis'
show './dev run label evaluate data/recipes/test.arff --model build/demo/recipes.trellis'
step "The documents of a query in order: RankMatch"
show './dev run rank train data/search/train.txt --dev data/search/dev.txt --expand binned:6 --model build/demo/search.trellis'
show './dev run rank evaluate data/search/test.txt --model build/demo/search.trellis'
step "Points of one silhouette with those of another: an assignment, learned"
show './dev run match train --pairs data/creatures/train.list --model build/demo/creatures.trellis'
show './dev run match evaluate data/creatures/test.list --model build/demo/creatures.trellis'
step "Words of a sentence with words of its translation: two hidden Markov models that learn to agree, from text alone"
show './dev run align train data/harbour/train.en data/harbour/train.fr --unsupervised --dev data/harbour/dev.en data/harbour/dev.fr --dev-gold data/harbour/dev.links --model build/demo/harbour.trellis'
show './dev run align evaluate data/harbour/test.en data/harbour/test.fr --gold data/harbour/test.links --model build/demo/harbour.trellis'
step "The same with links to learn from, of 51 pairs: matchings with fertilities and rewards of neighbours, by the margin"
show './dev run align train data/harbour/dev.en data/harbour/dev.fr --gold data/harbour/dev.links --text data/harbour/train.en data/harbour/train.fr --fertility 2 --quadratic --lambda 0.03 --cost 2 --model build/demo/harbour-links.trellis'
show './dev run align evaluate data/harbour/test.en data/harbour/test.fr --gold data/harbour/test.links --model build/demo/harbour-links.trellis'
step "Dependency trees, learned from 110 of them; the report draws those of 20 sentences that it has not seen"
show './dev run parse train data/garden/train.conllu --dev data/garden/dev.conllu --model build/demo/garden.trellis'
show './dev run parse evaluate data/garden/test.conllu --model build/demo/garden.trellis --report build/demo/trees.html'
step "Constituency trees: a grammar read off some 80 trees, and weights of what stands at the borders of spans"
show './dev run grammar train data/kitchen/train.mrg --dev data/kitchen/dev.mrg --model build/demo/kitchen.trellis'
show './dev run grammar evaluate data/kitchen/test.mrg --model build/demo/kitchen.trellis --report build/demo/brackets.html'
show 'echo "She ate the soup with a spoon ." | ./dev run grammar predict --pretty --model build/demo/kitchen.trellis'
step "Figure and ground: a network over the pixels of small pictures"
show './dev run segment train data/blobs/train.list --dev data/blobs/dev.list --model build/demo/blobs.trellis'
show './dev run segment evaluate data/blobs/test.list --model build/demo/blobs.trellis'
step "Variables that depend on each other, as a factor graph: weather, plans and a bag, trained on exact best assignments"
show './dev run factors train data/outings/train.txt --dev data/outings/dev.txt --c 1 --model build/demo/outings.trellis'
show './dev run factors evaluate data/outings/test.txt --model build/demo/outings.trellis'
step "What 240 notes are about: four topics, found without their labels, and what new notes have of each"
show './dev run topics train data/pastimes/train.tsv --topics 4 --sweeps 500 --model build/demo/pastimes.trellis --report build/demo/pastimes.html'
show './dev run topics inspect --top 8 --model build/demo/pastimes.trellis'
show './dev run topics evaluate data/pastimes/test.tsv --model build/demo/pastimes.trellis'
step "And topics that tell the labels of notes: DiscLDA, with a few topics for each label and some that they share"
show './dev run topics train data/pastimes/train.tsv --kind disclda --class-topics 2 --shared-topics 3 --sweeps 500 --classifier svm --model build/demo/classes.trellis'
show './dev run topics evaluate data/pastimes/test.tsv --model build/demo/classes.trellis'
show './dev run topics predict data/pastimes/test.tsv --model build/demo/classes.trellis | head -n 3'
step "Notices in English and French: with a dictionary, words that mean the same share their topics"
show './dev run topics train data/pastimes/notices.en-fr.tsv --kind wordlda --dictionary data/pastimes/eng-fra.tsv --languages-apart --stage en --topics 4 --sweeps 500 --beta-prior fixed --stop-words english --stop-words data/pastimes/stop_words.fr.txt --model build/demo/notices.trellis --report build/demo/notices.html'
show './dev run topics evaluate data/pastimes/notices.en-fr.tsv --model build/demo/notices.trellis --agreement'
step "Where a boat is on its way around a lighthouse: a hidden Markov model, counted, and trained for what mistakes cost"
show './dev run hmm train data/lighthouse/train.tsv --model build/demo/lighthouse.trellis'
show './dev run hmm evaluate data/lighthouse/test.tsv --loss ring --model build/demo/lighthouse.trellis'
show './dev run hmm train data/lighthouse/train.tsv --estimator max-margin --loss ring --model build/demo/ring.trellis --report build/demo/ring.html'
show './dev run hmm evaluate data/lighthouse/test.tsv --model build/demo/ring.trellis'
step "Whether a ferry will leave: a Bayesian network whose arrows are learned, then trained for that question, then asked with gaps"
show './dev run bayes train data/ferry/train.csv --target departure --model build/demo/ferry.trellis'
show './dev run bayes evaluate data/ferry/test.csv --model build/demo/ferry.trellis'
show './dev run bayes train data/ferry/train.csv --target departure --estimator max-margin --model build/demo/departure.trellis --report build/demo/departure.html'
show './dev run bayes evaluate data/ferry/test.csv --model build/demo/departure.trellis'
show './dev run bayes predict data/ferry/gaps.csv --hide none --model build/demo/ferry.trellis | head -n 5'
step "Look at $build/demo/report.html and $build/demo/trees.html, and try"
printf '%s\n' >&2 \
  './dev run tag inspect --model build/demo/travel.trellis' \
  './dev run tag explain build/demo/sentences.pos.txt --model build/demo/travel.trellis'
