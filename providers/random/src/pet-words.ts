// Words for pet names: friendly, lower case, letters only. The lists are Terrane's own.
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The adverbs of names of three or more words. */
export const ADVERBS: readonly string[] = words(`
  ably absolutely actively actually admirably aptly ardently artfully basically blissfully boldly bravely
  breezily briefly brightly briskly broadly calmly candidly carefully casually cheerfully cheerily chiefly
  clearly cleverly closely comfily commonly cordially correctly cosily cozily curiously daily daintily
  daringly dearly decently deeply deftly delicately delightedly devoutly diligently directly distinctly
  dreamily duly eagerly early earnestly easily effectively elegantly endlessly enormously entirely equally
  especially essentially evenly eventually evidently exactly exceptionally faintly fairly faithfully
  famously fancifully fervently fiercely finally finely firmly fittingly fluently fondly formally
  fortunately frankly freely frequently freshly fully generally generously gently genuinely gladly
  gleefully globally gracefully graciously gradually grandly gratefully greatly happily hardly harmlessly
  heartily hopefully hugely humbly ideally immensely implicitly infinitely informally inherently initially
  instantly intensely inwardly jauntily jointly jokingly jovially joyfully joyously jubilantly justly keenly
  kindly largely lately lavishly lazily lightly likely literally lively locally loosely loudly lovingly
  loyally luckily mainly marginally maturely meekly mellowly merely merrily mildly mindfully modestly
  monthly mostly multiply mutually mysteriously namely naturally nearly neatly newly nicely nimbly nobly
  normally notably obviously oddly offhandedly officially openly optimally orderly outwardly overly
  partially partly patiently peacefully perfectly placidly plainly playfully pleasantly politely positively
  possibly precisely presently presumably previously primarily privately promptly properly proudly
  publicly punctually purely quaintly quickly quietly rarely rationally readily really reasonably
  recently regularly relatively reliably remarkably repeatedly richly rightly robustly roughly routinely
  sanely scarcely secretly securely seemingly serenely sharply shortly shyly significantly silently simply
  sincerely singularly skilfully slightly slowly smartly smoothly snugly socially softly solely solidly
  soundly specially steadily stoutly strangely strictly strongly subtly suddenly sunnily superbly surely
  sweetly swiftly tactfully tenderly thankfully thoroughly thoughtfully tidily totally tremendously truly
  typically ultimately unduly uniquely universally upliftingly usefully usually utterly vaguely valiantly
  vastly verily vigorously visually vitally vividly warmly weekly wholly widely willingly wisely wonderfully
  yearly zealously zestfully
`);

/** The adjectives of names. */
export const ADJECTIVES: readonly string[] = words(`
  able active adept adored agile alert allowed alive amazed amazing amber ample amused amusing ancient apt
  ardent artful aware awake balanced beloved better big blessed blissful blooming bold brave brief bright
  brisk bubbly burning busy buoyant calm candid capable careful caring casual central certain champion
  charmed charming cheerful chief chosen classic clean clear clever climbing close coastal coherent comic
  complete concise content cool coral correct cosmic cozy creative crisp cuddly cunning curious current cute
  dancing dapper daring darling dashing dear decent deciding deep definite delicate devoted direct diverse
  divine driven dynamic eager early earnest easy elegant elated electric eminent enabled endless endorsed
  enduring engaged enormous epic equal eternal ethical evident evolved exact excited exotic expert faithful
  famous fancy fast favored feasible feisty fervent festive fine firm fit flexible flowing fluent flying fond
  frank free frequent fresh friendly full funky funny gentle genuine giant gifted giving glad glorious
  glowing golden good graceful grand grateful great green growing guided handy happy hardy harmless healthy
  helped helpful heroic hip holy honest hopeful huge humane humble humorous ideal immense immune included
  infinite innocent integral intense intent jolly joint jovial joyful joyous keen key kind knowing known
  large lasting leading learning legal legible liberal light liked literate living logical loved loving loyal
  lucid lucky magical main major many mature mellow merry meteoric mighty mint model modern modest moral
  musical mutual native natural nearby neat needed neutral new nice nimble noble normal noted novel obliging
  ocean open optimal optimum organic oriented outgoing patient peaceful perfect persistent picked placid
  pleasant pleased plum polished polite popular positive possible powerful precious precise premium present
  pretty prime probable profound promoted prompt proper proud proven pumped pure quality quick quiet quirky
  radiant rapid rare rational ready real refined regular related relaxed relevant reliable relieved resolved
  rested rich right robust romantic rosy ruling sacred safe saving secure sensible serene settled sharing
  sharp shining shy silent silver simple sincere singular skilled sleek slow smart smashing smiling smooth
  snug social solid solved sound special splendid square stable star steady sterling still stirring stunning
  subtle suitable suited summary sunny super superb supreme sure sweeping sweet swift talented teaching tender
  thankful thorough tidy tight together tolerant top topical tops touched touching tough tranquil trusted
  trusting true trusty unbiased uncommon unified unique united up upright upward usable useful valid valued
  vast verified viable vital vivid vocal warm wanted welcome well whole willing winning wired wise witty
  wondrous workable working worthy young zesty
`);

/** The animals, which are the last words of names. */
export const ANIMALS: readonly string[] = words(`
  aardvark adder albacore albatross alpaca amoeba anchovy anemone ant anteater antelope ape aphid
  armadillo asp baboon badger barnacle barracuda basilisk bass bat bear beagle bee beetle bengal bird bison
  blackbird bluebird bluejay boa boar bobcat bonefish bonobo buck bull bullfrog bulldog bunny burro buzzard
  caiman calf camel canary caribou cardinal cat catfish caterpillar chamois cheetah chicken chimp chinchilla
  chipmunk cicada clam cobra cockatoo cod collie colt condor coral corgi cougar cow cowbird coyote crab crane
  crappie crawdad crayfish cricket crow cub cuckoo dane dassie deer dingo dodo doe dog dogfish dolphin donkey
  dove dragon dragonfly drake drum duck duckling eagle earwig eel egret elephant elf elk emu ermine escargot
  ewe falcon fawn feline ferret filly finch firefly fish flamingo flea flounder fly foal fowl fox foxhound
  frog gannet gar garfish gator gazelle gecko gelding  gibbon giraffe glider gnat gnu goat
  goblin goldfish goose gopher gorilla goshawk grackle griffon grizzly grouper grouse grub grubworm guinea
  gull guppy haddock hagfish halibut hamster hare hawk hedgehog hen hermit heron herring hippo hog honeybee
  hookworm hornet horse hound humpback husky hyena ibex iguana imp impala insect jackal jackass jaguar
  javelin jay jaybird jennet joey kangaroo katydid kid killdeer kingfish kit kite kitten kiwi koala kodiak koi
  krill labrador lacewing ladybird ladybug lamb lamprey lark leech lemming lemur leopard liger lion lioness
  lionfish lizard llama lobster locust longhorn loon louse lynx macaque macaw mackerel magpie mako
  malamute mallard mammal mammoth manatee mantis marlin marmoset marmot marten martin mastiff mastodon
  mayfly meerkat midge mink minnow mite moccasin mole mollusk molly monarch mongoose mongrel monitor monkey
  monkfish moose moray mosquito moth mouse mudfish mule mullet muskox muskrat mustang mutt narwhal
  newt octopus opossum orca oriole oryx osprey ostrich otter owl ox oyster panda pangolin panther parakeet
  parrot peacock pegasus pelican penguin perch pheasant phoenix pig pigeon piglet pika pipefish piranha
  platypus polecat polliwog pony poodle porpoise possum prawn primate pug puma pup python quagga quail quetzal
  rabbit raccoon ram raptor rat ray redbird redfish reindeer reptile rhino ringtail robin rodent rooster
  roughy sailfish salmon satyr sawfish sawfly scorpion sculpin seagull seahorse seal seasnail serval shad
  shark sheep shepherd shiner shrew shrimp silkworm skink skunk skylark sloth slug snail snake snapper snipe
  sole spaniel sparrow spider sponge squid squirrel stag stallion starfish starling stingray stinkbug stork
  stud sturgeon sunbeam sunbird sunfish swan swift swine tadpole tahr tapir tarpon teal termite
  terrapin terrier tetra thrush tick tiger titmouse toad tomcat tortoise toucan treefrog troll trout tuna
  turkey turtle unicorn urchin vervet viper vulture wahoo wallaby walleye walrus warthog wasp weasel weevil
  whale whippet wildcat wolf wombat woodcock worm wren yak yeti zebra
`);
