/* A recording is written and read back: every line gives what was written, and a malformed line does not end the reading. */
#include "person.h"

#include <math.h>

static const char *const path = "reading.jsonl";

static void write_recording(KinescopeSolver *solver, KinescopeWorkspace *workspace)
{
    KinescopeGame *game = NULL;
    KinescopeRecorder *recorder = NULL;
    DONE(kinescope_game_new("a game that is read", &game));
    DONE(kinescope_game_add(game, "player", solver, NULL));
    DONE(kinescope_recorder_new(game, path, &recorder));

    Bone animated[BONES], solved[BONES];
    stand(animated);
    stand(solved);
    const KinescopePose input = pose_of(animated), output = pose_of(solved);
    KinescopeSettings settings;
    DONE(kinescope_settings_default(&settings));
    settings.chains[KINESCOPE_LIMB_LEFT_ARM].pull = 0.25f;
    settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND].has_position = 1;
    settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND].position = (KinescopeVec3){ 0.4f, 1.2f, 0.4f };
    settings.effectors[KINESCOPE_EFFECTOR_LEFT_HAND].position_weight = 1;
    DONE(kinescope_solve(solver, workspace, &settings, &output));

    KinescopeStepNodes step = { { 1, KINESCOPE_STAGE_PUSH }, { { 0, 0, 0 } } };
    step.nodes[3].y = 1.5f;
    const int32_t bones[2] = { 5, 6 };
    const KinescopeTransform transforms[2] = { { { 0.1f, 1, 0 }, { 0, 0, 0, 1 } }, { { 0.2f, 1, 0 }, { 0, 0, 0, 1 } } };
    const KinescopeWrite write = { KINESCOPE_PART_LEFT_ARM, bones, transforms, 2 };
    KinescopeFrame frame = { 0, 41, 0.5, &settings, input, output, &step, 1, &write, 1 };
    DONE(kinescope_recorder_frame(recorder, &frame));
    DONE(kinescope_recorder_mark(recorder, "jumps", 0.75));
    uint32_t guest = 9;
    DONE(kinescope_recorder_join(recorder, "guest", solver, &guest));
    EXPECT(guest == 1);
    const KinescopeFrame plain = { guest, -1, 1, NULL, input, { NULL, NULL, 0, 0, 0 }, NULL, 0, NULL, 0 };
    DONE(kinescope_recorder_frame(recorder, &plain));
    DONE(kinescope_recorder_leave(recorder, guest));
    DONE(kinescope_recorder_free(recorder));
    kinescope_game_free(game);

    FILE *file = fopen(path, "a");
    EXPECT(file != NULL);
    fputs("{\"character\":\"nobody\",\"time\":2}\n\n{\"mark\":\"ends\",\"time\":3}", file);
    fclose(file);
}

static void read_recording(void)
{
    KinescopeReader *reader = NULL;
    KinescopeLine line;
    char text[64];
    size_t needed = 0;
    DONE(kinescope_reader_new(path, &reader));
    DONE(kinescope_reader_producer(reader, text, sizeof text, NULL));
    EXPECT(strcmp(text, "a game that is read") == 0);
    EXPECT_BECAUSE(kinescope_reader_settings(reader, &(KinescopeSettings){ .pin = 0 }) == KINESCOPE_STATUS_BAD_WORKSPACE, "not a frame");

    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_FRAME && line.character == 0 && line.frame == 41 && line.time == 0.5);
    EXPECT(line.bones == BONES && line.has_result == 1 && line.steps == 1 && line.writes == 1);
    KinescopeSettings settings;
    DONE(kinescope_reader_settings(reader, &settings));
    EXPECT(settings.chains[KINESCOPE_LIMB_LEFT_ARM].pull == 0.25f);

    /* The frame solved again has the result that the game recorded. */
    KinescopeSolver *solver = NULL;
    DONE(kinescope_reader_solver(reader, 0, &solver));
    KinescopeWorkspace *own = NULL;
    DONE(kinescope_workspace_new(solver, &own));
    Bone again[BONES], recorded[BONES];
    const KinescopePose pose = pose_of(again), result = pose_of(recorded);
    DONE(kinescope_reader_animated(reader, &pose));
    EXPECT(again[LEFT_HAND].position[0] == places[LEFT_HAND][0]);
    DONE(kinescope_reader_result(reader, &result));
    DONE(kinescope_solve(solver, own, &settings, &pose));
    EXPECT(memcmp(again, recorded, sizeof again) == 0 && fabsf(again[LEFT_HAND].position[2] - 0.4f) < 0.01f);
    KinescopePose few = pose;
    few.count = 3;
    EXPECT_BECAUSE(kinescope_reader_animated(reader, &few) == KINESCOPE_STATUS_BAD_POSE, "has 3 bones");

    KinescopeStepNodes step;
    uint32_t nodes = 0, part = 9;
    DONE(kinescope_reader_step(reader, 0, &step, &nodes));
    EXPECT(nodes == (1u << KINESCOPE_NODES) - 1 && step.step.iteration == 1 && step.step.stage == KINESCOPE_STAGE_PUSH);
    EXPECT(step.nodes[3].y == 1.5f);
    EXPECT_BECAUSE(kinescope_reader_step(reader, 1, &step, &nodes) == KINESCOPE_STATUS_BAD_ARGUMENT, "has 1 stages");
    int32_t bones[2] = { 0, 0 };
    KinescopeTransform transforms[2];
    EXPECT(kinescope_reader_write(reader, 0, &part, bones, transforms, 1, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO);
    EXPECT(needed == 2 && bones[0] == 0);
    DONE(kinescope_reader_write(reader, 0, &part, bones, transforms, 2, NULL));
    EXPECT(part == KINESCOPE_PART_LEFT_ARM && bones[0] == 5 && bones[1] == 6 && transforms[1].position.x == 0.2f);
    EXPECT(kinescope_reader_mark(reader, text, sizeof text, &needed) == KINESCOPE_STATUS_NOTHING_TO_DO && needed == 0);

    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_MARK && line.time == 0.75);
    DONE(kinescope_reader_mark(reader, text, sizeof text, NULL));
    EXPECT(strcmp(text, "jumps") == 0);
    EXPECT_BECAUSE(kinescope_reader_name(reader, 1, text, sizeof text, NULL) == KINESCOPE_STATUS_BAD_ARGUMENT, "is 1");

    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_JOIN && line.character == 1);
    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_FRAME && line.character == 1 && line.frame == 0 && line.has_result == 0);
    EXPECT(kinescope_reader_result(reader, &pose) == KINESCOPE_STATUS_NOTHING_TO_DO);
    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_LEAVE && line.character == 1);
    DONE(kinescope_reader_name(reader, 1, text, sizeof text, NULL));
    EXPECT(strcmp(text, "guest") == 0);
    KinescopeSolver *gone = NULL;
    EXPECT_BECAUSE(kinescope_reader_solver(reader, 1, &gone) == KINESCOPE_STATUS_BAD_ARGUMENT, "character: is 1");

    /* A malformed line is refused with its number; the next call reads the line after it. */
    EXPECT_BECAUSE(kinescope_reader_next(reader, &line) == KINESCOPE_STATUS_BAD_FILE, "line 7");
    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_MARK && line.time == 3);
    EXPECT(kinescope_reader_next(reader, &line) == KINESCOPE_STATUS_NOTHING_TO_DO);
    kinescope_workspace_free(own);
    kinescope_solver_free(solver);
    kinescope_reader_free(reader);
}

int main(void)
{
    KinescopeSolver *solver = new_person();
    KinescopeWorkspace *workspace = NULL;
    DONE(kinescope_workspace_new(solver, &workspace));
    write_recording(solver, workspace);
    read_recording();

    KinescopeReader *reader = NULL;
    EXPECT_BECAUSE(kinescope_reader_new("missing.jsonl", &reader) == KINESCOPE_STATUS_SYSTEM, "missing.jsonl");
    FILE *file = fopen(path, "w");
    EXPECT(file != NULL);
    EXPECT_BECAUSE(kinescope_reader_new(path, &reader) == KINESCOPE_STATUS_BAD_FILE, "is empty");
    /* A line that is longer than any line of a recording. */
    fputs("{\"format\":\"kinescope-recording\",\"version\":2,\"producer\":\"long\",\"characters\":[]}\n", file);
    for (int i = 0; i < 17 << 20; ++i) {
        fputc('x', file);
    }
    fputs("\n{\"mark\":\"after\",\"time\":1}\n", file);
    fclose(file);
    DONE(kinescope_reader_new(path, &reader));
    KinescopeLine line;
    EXPECT_BECAUSE(kinescope_reader_next(reader, &line) == KINESCOPE_STATUS_BAD_FILE, "line 2");
    DONE(kinescope_reader_next(reader, &line));
    EXPECT(line.kind == KINESCOPE_LINE_KIND_MARK && line.time == 1);
    kinescope_reader_free(reader);
    remove(path);

    kinescope_workspace_free(workspace);
    kinescope_solver_free(solver);
    return 0;
}
