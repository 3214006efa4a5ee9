/**
 * The headers that files use for the fields of a person that every list has: in English, German, French and Spanish, and the commonest words of Italian,
 * Portuguese and Dutch. Written without accents, hyphens and capitals.
 */
export const PERSON_HEADERS = {
  email:
    'email, e mail, mail, email address, e mail address, work email, business email, primary email, contact email, email 1, emailadresse, e mail adresse, mailadresse, mail adresse, adresse email, adresse e mail, adresse mail, courriel, correo, correo electronico, direccion de correo, direccion de correo electronico, email profesional, email professionnel, emails, email id, mail address, adresse electronique, adresse de courriel, mail professionnel, correos, correo profesional, correo de contacto, direccion de email, indirizzo email, posta elettronica, endereco de email, e mailadres, emailadres',
  firstName:
    'first name, first, first names, fname, given name, given names, forename, christian name, vorname, vornamen, rufname, prenom, prenoms, nombre, nombres, nombre de pila, primer nombre, nome, voornaam',
  lastName:
    'last name, last, last names, lname, surname, family name, nachname, familienname, zuname, nom de famille, apellido, apellidos, primer apellido, cognome, sobrenome, achternaam',
  fullName:
    'full name, contact name, contact, contact person, person, person name, lead name, prospect name, display name, ansprechpartner, ansprechpartnerin, kontakt, kontaktperson, vollstandiger name, vor und nachname, nom complet, nom et prenom, prenom et nom, nom prenom, nombre completo, nombre y apellidos, nombre y apellido, contacto, persona de contacto, nome completo, volledige naam',
  company:
    'company, companies, company name, company legal name, firm, firm name, organization, organisation, organization name, organisation name, account, account name, employer, employer name, business, business name, agency, institution, firma, firmenname, unternehmen, unternehmensname, betrieb, arbeitgeber, gesellschaft, entreprise, societe, compagnie, employeur, etablissement, nom de l entreprise, nom de la societe, raison sociale, organisme, empresa, compania, negocio, institucion, nombre de la empresa, nombre empresa, nombre de empresa, organizacion, razon social, sociedad, azienda, societa, bedrijf, bedrijfsnaam',
  jobTitle:
    'job title, title, position, job position, position title, current position, current title, role, job role, job, designation, occupation, profession, headline, jobtitel, jobbezeichnung, beruf, berufsbezeichnung, rolle, stelle, stellenbezeichnung, position im unternehmen, funktion, poste, poste actuel, fonction, metier, emploi, intitule du poste, intitule de poste, titre, titre du poste, cargo, puesto, puesto actual, puesto de trabajo, ocupacion, profesion, funcion, rol, ruolo, qualifica, functie',
} as const

/** Words that only say whose value it is: "Lead first name" is a first name. */
const QUALIFIERS = new Set(
  'contact, lead, leads, prospect, person, people, recipient, customer, client, user, kontakt, kunde, empfanger, destinataire, contacto, cliente, s, your, my, the, main, primary, work, business, professional, required, optional, pflichtfeld'.split(
    ', ',
  ),
)

/** The words of a header without the qualifiers; null when there is none to remove, or nothing would be left. */
export function withoutQualifiers(words: readonly string[]): string[] | null {
  const kept = words.filter(word => !QUALIFIERS.has(word))
  return kept.length === 0 || kept.length === words.length ? null : kept
}
