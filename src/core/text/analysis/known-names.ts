const NAMES = `Aaron Abdul Abdullah Abigail Adam Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro Alessandro Alex Alexander Alexandra Alfred Ali
  Alice Alicia Alison Amanda Amara Amelia Amina Amir Amit Amy Ana Anders Andrea Andreas Andrés Andrew Angela Anil Anita Anja Anke Ann
  Anna Anne Annette Anthony Antje Anton Antonio Arjun Arthur Astrid Ava Axel Barbara Beatrice Ben Benjamin Bernard Bernd Beth Betty
  Bianca Bill Birgit Björn Bob Brandon Brenda Brian Bruce Bruno Camille Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia
  Charles Chen Chiara Chloe Chris Christian Christina Christine Christoph Christopher Claire Clara Claudia Cynthia Daniel Daniela Daniele
  David Deborah Denise Dennis Diana Diego Dieter Dimitri Dirk Dmitri Dominik Donald Donna Dorothy Douglas Edith Eduardo Edward Elena Eleanor
  Elias Elisabeth Elizabeth Ella Ellen Emily Emma Eric Erik Erika Ernst Esther Ethan Eva Evelyn Fabian Farid Fatima Felix Fernando Finn
  Fiona Frances Francesca Francesco Francis Francisco Frank Franz Fred Frederic Frederik Friedrich Gabriel Gabriela Gary Georg George
  Gerald Gerhard Giorgio Giovanni Giulia Gloria Grace Greg Gregory Greta Gunter Gustav Hanna Hannah Hans Harald Harold Harry Hassan
  Heather Heidi Heike Heinz Helen Helena Helga Henri Henrik Henry Herbert Hiroshi Holger Hugo Ian Ibrahim Igor Ines Ingrid Irene Isaac
  Isabel Isabella Ivan Jack Jacob Jacques Jakob James Jan Jane Janet Janine Jason Javier Jean Jeffrey Jennifer Jens Jeremy Jessica Jill Jim Joan
  Joachim Joanna João Joe Joel Johan Johann Johanna Johannes John Jonas Jonathan Jordi Jorge José Josef Joseph Joshua Joyce Juan Judith
  Julia Julian Julie Jürgen Justin Kai Karen Karin Karl Karsten Katarina Katharina Katherine Kathleen Katja Katrin Keith Kelly Ken
  Kenneth Kenji Kerstin Kevin Kim Klaus Kristin Kurt Kyle Lars Laura Lauren Laurent Lena Leo Leon Leonard Leonardo Leonie Liam Lily Linda Lisa
  Logan Louis Louise Luca Lucas Lucia Lucy Luis Luisa Lukas Magdalena Manuel Manuela Marc Marcel Marco Marcus Margaret Maria María Marie Marina Mario Marion
  Mark Markus Marta Martha Martin Martina Mary Mateo Matteo Matthew Matthias Maya Megan Mehmet Melanie Melissa Michael Michaela Michel Michelle
  Miguel Mike Mila Mohamed Mohammed Monica Monika Muhammad Nadia Nadine Naomi Natalie Natasha Nathan Neil Nicholas Nicola Nicolas
  Nicole Niklas Nikolai Nils Nina Noah Nora Olaf Oleg Olga Oliver Olivia Omar Oscar Oskar Pablo Pamela Patricia Patrick Paul Paula Pauline Pedro Peter Petra
  Philip Philipp Philippe Pierre Pilar Priya Rachel Rafael Rainer Raj Rajesh Ralf Ralph Ramón Raphael Raúl Ravi Raymond Rebecca Renate Ricardo Richard
  Rita Robert Roberto Robin Roger Roland Rolf Ronald Rosa Rosalind Ruth Ryan Sabine Sabrina Samantha Samuel Sandra Sanjay Sara Sarah Scott
  Sebastian Sergei Sergio Sharon Silke Silvia Simon Simone Sofie Sonia Sophia Sophie Stefan Stefanie Stella Stephan Stephanie
  Stephen Steve Steven Sunita Susan Susanne Sven Svetlana Sylvia Takashi Tamara Tanja Tatiana Ted Teresa Theo Theresa Thomas Thorsten Tim Timothy Tina
  Tobias Todd Tom Tomás Tony Tracy Uwe Ulrich Ursula Valentina Vanessa Vera Veronica Viktor Vikram Vincent Vladimir Walter Wei Wendy Werner
  Wilhelm William Wolfgang Xavier Yasmin Yuki Yuri Yusuf Yvonne Zoe`;

/** First names by which a person is known; those that are months or places too are missing. */
export const FIRST_NAMES: ReadonlySet<string> = new Set(NAMES.split(/\s+/u));

/** Capitalised words that stand behind a first name and are no surname. */
const NOT_SURNAMES = `The A An And Or But In On At Of For With To From By As Is Was Will Has Had January February March April May June July August September
  October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Street Avenue Road School College University
  Hospital Church County City Airport Island River Lake Bridge Park Square House Hotel Award Prize Project Team Group Act Law Day
  Night Inc Ltd LLC Corp Company GmbH AG Foundation Institute Center Centre Museum Theatre Theater Station Court Agreement Article
  Section Committee Department University Bank Fund Press News Times Today Said Says North South East West Und Der Die Das Et Le La Y El`;
export const NOT_SURNAME_WORDS: ReadonlySet<string> = new Set(NOT_SURNAMES.split(/\s+/u));
