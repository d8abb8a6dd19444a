"""Word lists of the rule extractor, English and German. Everything is lower case unless it says otherwise."""

from lcg.providers.extractor.rules.vocabulary import words_of

STOP_WORDS = words_of(
    """
    a about above according after again against all almost along already also although always am among an and
    another any anyone anything are aren't around as at away back be because been before behind being below beside
    besides between beyond both but by can can't cannot could couldn't despite did didn't do does doesn't doing
    don't done down due during each either else enough especially etc even ever every everyone everything except few
    finally for from further furthermore had hadn't has hasn't have haven't having he he's hence her here here's
    hers herself him himself his how however i i'd i'll i'm i've if in indeed inside instead into is isn't it it's
    its itself just later least less let let's like likely many may maybe me meanwhile might mine more moreover most
    much must my myself near nearly neither never nevertheless no nobody none nor not nothing now of off often oh ok
    okay on once one only onto or other others otherwise ought our ours ourselves out outside over own particularly
    per perhaps please quite rather really said same see several shall shan't she she's should shouldn't similarly
    since so some somebody someone something sometimes soon still such than thank thanks that that's the their
    theirs them themselves then there there's therefore these they they're they've this those though through
    throughout thus till to today together tomorrow too toward towards two three four five six seven eight nine ten
    eleven twelve under unless unlike until up upon us usually various very via was wasn't we we'll we're we've well
    were weren't what what's whatever when whenever where whereas whether which while who who's whoever whole whom
    whose why will with within without won't would wouldn't yes yesterday yet you you'll you're you've your yours
    yourself hi hello hey former aber alle allem allen aller alles als also am an andere anderen anderer anderes
    auch auf aus bei beide beiden beim bevor bis bisher bist da dabei dadurch dafür dagegen daher damals damit
    danach daneben dann daran darauf daraus darin darum das dass dein deine dem den denn dennoch der deren des
    deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ebenfalls ein eine einem
    einen einer eines einige einigen er erst erste ersten erster es etwa etwas euch euer für ganz gegen gegenüber
    genau gerade gestern habe haben hatte hatten heute hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
    im immer ins ist ja jede jedem jeden jeder jedes jedoch jetzt kann kein keine keinem keinen keiner können könnte
    mal manche mehr mein meine meinem meinen meiner mich mir mit morgen muss müssen nach nachdem neben nein
    nicht nichts nie noch nun nur ob oben obwohl oder ohne schon sehr sein seine seinem seinen seiner seit seitdem
    selbst sich sie sind sobald sofern sogar soll sollen sollte somit sondern sonst soweit sowie später trotz
    trotzdem über um und uns unser unsere unserem unseren unter viele vielen vielleicht vom von vor wann  
    warum was wegen weil weiter weitere weiterhin welche welcher wenn wer werden wie wieder wir wird wo wobei wurde
    wurden während zu zuerst zuletzt zum zur zwar zwischen zwei drei vier fünf neue neuen neuer
    """
)

ORDINARY_WORDS = words_of(
    """
    first second third fourth last next bc bce ad ce review list number member members rest lot kind sort type types
    case cases series end beginning top none anyone
    morning evening afternoon
    ask asks avoid based because build built call change changes check click consider create currently decision
    default details done example examples figure fix follow generally given historically if important include
    including initially install known large list look made main major make makes making modern move name names
    nearby need needs normally note notes number occasionally open originally overall page pages part people place
    places points possible previously question questions read recent recently related remove reason return returns
    run scientists set shortly similar simply small source sources space special specifically start state take test
    tests text thing things think time times title try typically unfortunately update use used uses using version
    work works write year years agree agreed anyway sure right great good nice sorry fine lgtm nit todo fixme hack
    note warning tip caution error am pm fyi asap tbd tba wip eta imo imho btw aka utc gmt cet cest est pst ceo cto
    cfo coo vp phd msc bsc true false null none ok url urls pdf id ids
    """
)
"""Capitalised at the start of a sentence or a message, these are not names, whatever else the text holds."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner", "february feb februar", "march mar märz", "april apr", "may mai",
            "june jun juni", "july jul juli", "august aug", "september sep sept", "october oct oktober okt",
            "november nov", "december dec dezember dez",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip

WEEKDAYS = words_of(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays fridays montag dienstag mittwoch donnerstag
    freitag samstag sonnabend sonntag mon tue wed thu fri
    """
)

PERSON_TITLES = words_of(
    """
    mr mrs ms miss mister dr prof professor sir dame lord lady herr frau president senator captain
    """
)

ABBREVIATIONS = words_of(
    """
    mr mrs ms dr prof st jr sr vs etc e.g i.e eg ie cf al approx nr fig vol pp ed eds inc ltd corp co dept est rev
    gen col sgt capt lt hon jan feb mar apr jun jul aug sep sept oct nov dec z.b d.h u.a bzw ca evtl ggf usw vgl str
    tel abs bsp dipl ing hrsg mio mrd sog u.s u.k a.m p.m
    """
)

DEMONYMS = words_of(
    """
    african american argentine argentinian asian australian austrian bangladeshi belgian brazilian british bulgarian
    canadian chilean chinese colombian croatian cuban czech danish dutch egyptian english estonian european finnish
    french german greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian japanese jewish
    kenyan korean latin latvian lithuanian malaysian mexican mongolian nigerian norwegian pakistani peruvian polish
    portuguese romanian russian saudi scottish serbian slovak slovenian soviet spanish swedish swiss syrian thai
    turkish ukrainian vietnamese welsh americans russians germans catholic christian muslim buddhist north south
    east west northern southern eastern western central deutsche deutschen deutscher deutsches
    """
)

NAME_NOUNS = words_of(
    """
    algorithm award awards belt crater crisis disaster effect equation government hypothesis law laws movement orbit
    points prize program programme project principle protocol scale system theorem theory treaty asteroids
    """
)
"""A lower-case noun that completes a name: the belt without its word would be another thing (`Kuiper belt`)."""

OF_HEADS = words_of(
    """
    academy act administration agency archive army association bank battle bay board book bureau cape     chamber
    church city college commission committee confederation congress convention council court declaration
    department director duke east empire faculty federation hall medal bachelor master foundation friends gulf
    history house institute island
    isle journal kingdom law league library lord ministry mount museum national north office order parliament peace
    president prince queen king republic school secretary society south state states statue sea ship spirit temple
    theory tower treaty union university universität universidad université war west world institut hochschule
    bundesamt amt ministerium verein gesellschaft bundesministerium
    """
)
"""Words that take `of`, `for`, `on`, `to` into a name (`University of Oslo`, `Institute for Physics`)."""

AND_TAILS = words_of(
    """
    administration affairs arts commission development engineering industry medicine museum research sciences
    services technology trade security design
    """
)
"""A name that ends so may hold an `and` (`National Aeronautics and Space Administration`)."""

FOR_HEADS = words_of("center centre office fund zentrum")
"""Words that take `for`, but not `of` (`Kennedy Space Center of Florida` is two names)."""

LINKERS = frozenset({"of", "for", "on", "to", "für"})
PARTICLES = words_of(
    """
    de del della der den di da das do dos du la le van von zu zur ter y al bin ibn af
    """
)
"""Lower-case parts of personal and place names (`Wernher von Braun`)."""

NAME_SUFFIXES = words_of("jr sr inc ltd llc gmbh ag kg corp co plc esq ii iii iv")

IMPERATIVES = words_of(
    """
    add ask call choose configure disable enable install open run set start stop check clean contact email ensure
    fix invite keep keeps make meet move ping raise read remove rename
    reply see send tell thank try update use uses visit watch welcome
    """
)
"""Before a name at the start of a sentence these are commands, never a part of the name."""

GERMAN_ROLES = words_of(
    """
    autor autorin chef chefin direktor direktorin firma fluss freund freundin geschäftsführer geschäftsführerin
    ingenieur
    ingenieurin kanzler kanzlerin kapitän kollege kollegen kollegin leiter leiterin minister ministerin mitarbeiter
    mitarbeiterin ort präsident präsidentin stadt unternehmen
    """
)
"""Before a name these say what it is and are no part of it (`Kollege Jens Petersen`)."""

UNITS = words_of(
    """
    km m cm mm kg g mb gb kb tb ms s sec seconds minutes min hours hour days day weeks week months month years year
    percent million billion thousand times people miles mile meters metres feet pounds tons tonnes dollars euros
    euro eur usd uhr tage tagen wochen jahre jahren monate stunden minuten prozent million millionen milliarden am
    pm a.m p.m
    """
)

ADJECTIVE_TAILS = ("ed", "ing", "like", "born", "wide", "free", "style", "sized", "only", "friendly", "specific")
"""What follows the hyphen of an adjective made from a name (`NASA-funded`): the name ends before it."""

PREFIXES = words_of(
    """
    mid pre post late early non re co pro anti sub super un multi inter under over top
    """
)

GENERIC_HEADINGS = words_of(
    """
    abstract acknowledgements actions agenda appendix background bibliography biography career changelog changes
    conclusion conclusions contents context contributing decision decisions description design details discussion
    documentation early education example examples external faq features further future gallery goals death family
    works honors history how
    installation install introduction legacy license life limitations links more motivation next notes open other
    overview personal purpose quick reading references related release requirements response results roadmap see
    setup sources status steps structure summary table tests testing todo usage websites what why zusammenfassung
    einleitung inhalt überblick quellen weblinks einzelnachweise literatur geschichte beispiel hinweise getting
    known minutes attendees participants teilnehmer
    """
)

GERMAN_SIGNS = words_of(
    """
    der die das und ist nicht ein eine einen einem mit für von auf dem den des im zu zur zum sich auch wird wurde
    werden bei nach aus wir ich sie es als oder aber noch über hat haben sind war
    """
)
ENGLISH_SIGNS = words_of(
    """
    the and is not a an with for of on to in it that was were be been by from at as are this we i they he she or but
    has have
    """
)

GERMAN_DETERMINERS = words_of(
    """
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen
    meinem meiner dein deine sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem
    unserer dieser diese dieses diesen diesem jeder jede jedes jeden jedem welche welcher welches alle allen aller
    viele vielen einige einigen mehrere mehreren manche beide beiden im am zum zur beim vom ins ans aufs fürs kein
    pro ohne zwei drei vier fünf sechs sieben acht neun zehn zwölf wenig wenige mehr weniger
    """
)
GERMAN_NAME_PREPOSITIONS = words_of("in nach aus bei mit von für an über gegen durch laut seit zwischen")
GERMAN_NOUN_TAILS = (
    "ung", "ungen", "heit", "heiten", "keit", "keiten", "schaft", "schaften", "tion", "tionen", "tät", "täten",
    "ismus", "nis", "nisse", "chen", "lein", "tum", "ling", "age", "enz", "anz", "ment", "ik", "ur", "or", "oren",
)  # fmt: skip
GERMAN_NOUNS = words_of(
    """
    anfang ende mitte abend morgen mittag nacht tag woche jahr monat uhr zeit fehler daten zugriff beispiel problem
    frage fragen antwort teil thema punkt punkte termin treffen team kunde kunden projekt code server test tests
    bericht grund hilfe idee ziel ziele weg fall fälle stand bild haus stadt land leute menschen kinder frauen
    männer wasser geld arbeit liebe grüße gruß dank platz raum protokoll rechner datei dateien seite seiten liste
    name namen nummer zahl zahlen art weise rede ordnung system systeme programm software hardware nutzer benutzer
    entwickler backup backups herbst sommer winter frühling urlaub euro mails mail anruf budget angebot vertrag
    rechnung sicherheit erfolg
    """
)

GIVEN_NAMES = words_of(
    """
    aaron adam ahmed aisha alan albert alex alexander alexandra alfred alice alicia amanda amelia amara amir amy ana
    andrea andreas andrew andy angela anita ann anna anne anton antonio arthur astrid barbara beatrice ben benjamin
    bernd bernhard bo bill birgit bob brian bruce buzz carl carla carlos carmen carol caroline catherine charles
    charlotte chen chloe chris christian christina christine christopher claire clara claudia craig dale daniel
    daniela david dennis diana dick diego dieter dmitri donald dorothy ed edgar edward elena elisabeth elizabeth
    ella ellen emil emily emma eric erik ernst eugene eva evelyn fatima felix florian frances francis frank franz
    fred frieda friedrich gabriel gabriele gary gene george georg gerald gerhard gordon grace greg guido gus hanna
    hannah hans harold harrison harry heinrich helen helena helga henry herbert holger hugo ian igor ines inga ingrid
    irene isaac isabel ivan jack jacob jakob james jan jane janet jason jean jeff jennifer jens jessica jim joachim
    joan joe johann johannes john jonas jonathan jorge jose josef joseph juan judith julia julian julie jürgen karen
    karin karl katharina katherine kathrin kathryn katja keith ken kevin klaus konrad konstantin kurt lara larry
    laura laurel lars lena leo leon leonie leonid li linda lisa lorenz louis lucas lucy ludwig luis lukas magdalena
    malcolm
    manfred marc marco margaret maria marie marina mario mark markus martha martin martina mary mateo matthew
    matthias max maya mei melissa mia michael michaela miguel mike mira mohammed monika nadia nancy natalia neil
    nicholas nick nicolas nikolai nina noah nora norbert olaf oleg olga oliver olivia omar oscar otto pablo pamela
    patricia patrick paul paula pavel pedro peter petra philip philipp pierre priya rachel rainer ralf ralph raj
    ravi rebecca renate ricardo richard rita robert roberto roger roland ron ronald rosa roy ruth ryan sabine sally
    sam samuel sandra sara sarah scott sean sebastian sergei sergey sharon silvia simon sofia sonja sophia sophie
    stefan stefanie stephen steve steven stu stuart sue sunita susan susanne sven svetlana tanja tara ted teresa
    thomas tim timo tina tobias tom tomas tony ulrich ursula uwe valentin valentina vera victor victoria viktor vincent
    virginia vladimir walter wally wei werner wernher wilhelm william wolfgang yuki yuri yvonne zoe
    """
)
